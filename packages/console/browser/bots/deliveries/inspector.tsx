import type { Bot, BotDeliveryDetails } from '@bellhop/protocol';
import { DeliveryId } from '@bellhop/protocol';

import { ErrorNotice } from '../../controls/error-notice.tsx';
import { Tabs } from '../../controls/tabs.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { useResource } from '../../loading/use-resource.ts';
import { query, setQuery } from '../../navigation/location.ts';
import { InspectorFrame } from '../../records/inspector-frame.tsx';
import { comparedKeys } from '../../records/opened.ts';
import { Lazy } from '../../shell/lazy.tsx';
import { Loading } from '../../shell/part-view.tsx';
import { DeliveryActions } from './delivery-actions.tsx';
import { DeliveryFacts } from './delivery-facts.tsx';
import { openedDelivery } from './delivery-list.tsx';
import { DeliverySection, sections } from './delivery-section.tsx';

import './inspector.css';

interface InspectorProps {
  readonly account: LiveAccount;
  readonly bots: readonly Bot[];
}

const loadCompare = async () => (await import('./compare-deliveries.tsx')).CompareDeliveries;

/** The delivery that the address names, with its attempts; or the two that are compared. */
export function Inspector({ account, bots }: InspectorProps) {
  const { delivery, of } = query.value;
  const compared = comparedKeys();
  const bot = bots.find(({ user_id }) => String(user_id) === of);
  return (
    <InspectorFrame
      label="Delivery"
      title={compared ? 'Two deliveries' : 'Delivery'}
      opened={openedDelivery}
    >
      {compared ? (
        <Lazy load={loadCompare} props={{ key: compared.join(), account, bots, compared }} />
      ) : bot && delivery !== undefined ? (
        <Details key={delivery} account={account} bot={bot} id={delivery} />
      ) : (
        <p class="inspector-note muted">This delivery no longer exists.</p>
      )}
    </InspectorFrame>
  );
}

interface DetailsProps {
  readonly account: LiveAccount;
  readonly bot: Bot;
  readonly id: string;
}

async function fetchDelivery({ account, bot, id }: DetailsProps): Promise<BotDeliveryDetails> {
  const delivery_id = DeliveryId.safeParse(id);
  if (!delivery_id.success) throw new Error('This delivery no longer exists.');
  const asked = { bot_id: bot.user_id, delivery_id: delivery_id.data };
  return (await account.client.botDeliveries.get(asked)).delivery;
}

function Details(props: DetailsProps) {
  const { account, bot, id } = props;
  const {
    value: delivery,
    error,
    refresh,
  } = useResource(() => fetchDelivery(props), [id], {
    account,
    on: (event) => event.type === 'bot_delivery' && event.delivery.id === id,
  });
  if (error !== undefined)
    return (
      <div class="inspector-note">
        <ErrorNotice error={error} onRetry={refresh} />
      </div>
    );
  if (!delivery) return <Loading />;
  const numbers = delivery.attempts.map(({ number }) => number);
  const asked = Number(query.value['attempt']);
  const number = numbers.includes(asked) ? asked : (numbers.at(-1) ?? 0);
  const section = sectionOf(query.value['section']);
  return (
    <>
      <DeliveryFacts bot={bot} delivery={delivery} />
      <DeliveryActions account={account} bot={bot} delivery={delivery} />
      {numbers.length > 1 && (
        <div class="attempts" role="group" aria-label="Attempts">
          {numbers.map((one) => (
            <button
              key={one}
              type="button"
              class="button"
              aria-pressed={one === number}
              onClick={() => setQuery({ attempt: String(one) }, { replace: true })}
            >
              Attempt {one}
            </button>
          ))}
        </div>
      )}
      <Tabs
        label="Delivery details"
        tabs={sections}
        chosen={section}
        onChoose={(next) => setQuery({ section: next }, { replace: true })}
      >
        <DeliverySection
          delivery={delivery}
          attempt={delivery.attempts.find((one) => one.number === number)}
          section={section}
          isOwn={delivery.excerpt !== null}
        />
      </Tabs>
    </>
  );
}

type Section = keyof typeof sections;
const sectionOf = (name: string | undefined): Section =>
  name !== undefined && Object.hasOwn(sections, name) ? (name as Section) : 'response';
