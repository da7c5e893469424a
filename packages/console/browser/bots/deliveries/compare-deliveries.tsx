import type { Bot, BotDeliveryDetails } from '@bellhop/protocol';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import { ClockTime } from '../../controls/clock-time.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { Tabs } from '../../controls/tabs.tsx';
import { DiffView } from '../../json/diff-view.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { Loading } from '../../shell/part-view.tsx';
import { answerText } from './answer-text.ts';
import { markedDelivery } from './marked-deliveries.ts';
import { StatusPill } from './status-pill.tsx';
import { strings } from './strings.ts';

interface CompareDeliveriesProps {
  readonly account: LiveAccount;
  readonly bots: readonly Bot[];
  /** The marks of two deliveries. */
  readonly compared: readonly string[];
}
type Part = keyof typeof strings.diffParts;

/** The differences between two deliveries, the older one first. */
export function CompareDeliveries({ account, bots, compared }: CompareDeliveriesProps) {
  const part = useSignal<Part>('payload');
  const found = useSignal<readonly BotDeliveryDetails[] | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const load = () => {
    error.value = undefined;
    const all = compared.slice(0, 2).map((mark) => fetchMarked(account, mark));
    Promise.all(all).then(
      (deliveries) => (found.value = deliveries.toSorted((a, b) => a.created_ms - b.created_ms)),
      (problem: unknown) => (error.value = problem),
    );
  };
  useEffect(load, [compared.join()]);
  const [before, after] = found.value ?? [];
  if (error.value !== undefined)
    return (
      <div class="inspector-note">
        <ErrorNotice error={error.value} onRetry={load} />
      </div>
    );
  if (!before || !after) return <Loading />;
  const name = ({ bot_id }: BotDeliveryDetails) =>
    bots.find(({ user_id }) => user_id === bot_id)?.full_name;
  return (
    <>
      <ol class="compared" role="list">
        {[before, after].map((delivery) => (
          <li key={delivery.id} class="row">
            <ClockTime ms={delivery.created_ms} />
            <StatusPill delivery={delivery} />
            <span class="clip muted">{name(delivery)}</span>
          </li>
        ))}
      </ol>
      <Tabs
        label={strings.diffWhat}
        tabs={strings.diffParts}
        chosen={part.value}
        onChoose={(next) => (part.value = next)}
      >
        <DiffView
          label={strings.diffParts[part.value]}
          before={part.value === 'payload' ? (before.payload ?? '') : answerOf(before)}
          after={part.value === 'payload' ? (after.payload ?? '') : answerOf(after)}
        />
      </Tabs>
    </>
  );
}

const answerOf = ({ attempts }: BotDeliveryDetails) => answerText(attempts.at(-1));

async function fetchMarked({ client }: LiveAccount, mark: string): Promise<BotDeliveryDetails> {
  const marked = markedDelivery(mark);
  if (!marked) throw new Error(strings.gone);
  return (await client.botDeliveries.get(marked)).delivery;
}
