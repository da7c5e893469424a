import type { Bot } from '@bellhop/protocol';

import { Empty } from '../controls/empty.tsx';
import { Icon } from '../controls/icon.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { href } from '../navigation/location.ts';
import { usePageName } from '../shell/page-title.ts';
import { BotHead } from './bot-head.tsx';
import { DeliveriesView } from './deliveries/deliveries-view.tsx';

interface AllDeliveriesProps {
  readonly account: LiveAccount;
  /** The bots with a webhook. */
  readonly bots: readonly Bot[];
}

/** The most bots whose deliveries are in one list. */
const MAX_TOGETHER = 25;

/** The deliveries of all bots that the user may see, in one list. */
export function AllDeliveries({ account, bots }: AllDeliveriesProps) {
  usePageName('All deliveries');
  const shown = bots.slice(0, MAX_TOGETHER);
  return (
    <section class="bot-page" aria-label="All deliveries">
      <BotHead>
        <h2 class="grow clip">All deliveries</h2>
      </BotHead>
      {shown.length === 0 ? (
        <Empty
          icon="bot"
          title="No bots yet"
          command="npx bellhop bot new ../hello --template commands"
        >
          <p>
            Bots respond to messages. Create one here to get a ready-to-run program with its keys
            filled in. In a clone of Bellhop, this command creates a complete project with a test:
          </p>
          <a class="button primary" href={href(['bots', 'new'])}>
            <Icon name="plus" />
            New bot
          </a>
        </Empty>
      ) : (
        <>
          {bots.length > shown.length && (
            <p class="bot-note muted">
              Showing deliveries for the first {shown.length} bots. Select a bot on the left to see
              its deliveries.
            </p>
          )}
          <DeliveriesView account={account} bots={shown} own={undefined} />
        </>
      )}
    </section>
  );
}
