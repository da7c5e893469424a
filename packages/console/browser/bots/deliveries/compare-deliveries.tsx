import type { Bot, BotDeliveryDetails } from '@bellhop/protocol';

import { ErrorNotice } from '../../controls/error-notice.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { useResource } from '../../loading/use-resource.ts';
import { Comparison, inOrder } from '../../records/comparison.tsx';
import { Loading } from '../../shell/part-view.tsx';
import { answerText } from './answer-text.ts';
import { markedDelivery } from './marked-deliveries.ts';
import { StatusPill } from './status-pill.tsx';

interface CompareDeliveriesProps {
  readonly account: LiveAccount;
  readonly bots: readonly Bot[];
  /** The marks of two deliveries. */
  readonly compared: readonly string[];
}

const parts = {
  ['Payloads']: ({ payload }: BotDeliveryDetails) => payload ?? '',
  ['Responses']: ({ attempts }: BotDeliveryDetails) => answerText(attempts.at(-1)),
};
const timeOf = ({ created_ms }: BotDeliveryDetails) => created_ms;

/** The differences between two deliveries, the older one first. */
export function CompareDeliveries({ account, bots, compared }: CompareDeliveriesProps) {
  const { value, error, refresh } = useResource(
    () => Promise.all(compared.map((mark) => fetchMarked(account, mark))),
    [compared.join()],
  );
  if (error !== undefined)
    return (
      <div class="inspector-note">
        <ErrorNotice error={error} onRetry={refresh} />
      </div>
    );
  if (!value) return <Loading />;
  const nameOf = (delivery: BotDeliveryDetails) => (
    <>
      <StatusPill delivery={delivery} />
      <span class="clip muted">
        {bots.find(({ user_id }) => user_id === delivery.bot_id)?.full_name}
      </span>
    </>
  );
  return <Comparison rows={inOrder(value, timeOf)} {...{ timeOf, nameOf, parts }} />;
}

async function fetchMarked({ client }: LiveAccount, mark: string): Promise<BotDeliveryDetails> {
  const marked = markedDelivery(mark);
  if (!marked) throw new Error('This delivery no longer exists.');
  return (await client.botDeliveries.get(marked)).delivery;
}
