import type { Bot } from '@bellhop/protocol';

import { Empty } from '../../controls/empty.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { SendTest } from './send-test.tsx';

interface NoDeliveriesProps {
  readonly account: LiveAccount;
  readonly own: Bot | undefined;
}

/** Explains how to cause a delivery. */
export const NoDeliveries = ({ account, own }: NoDeliveriesProps) => (
  <Empty
    icon="webhook"
    title="No deliveries yet"
    command={`npx bellhop try message${own ? ` --to ${own.email} hi` : ''}`}
  >
    <p>
      Messages that the server sends to bots with an outgoing webhook appear here. Message a bot, or
      send a test.
    </p>
    {own && <SendTest account={account} bot={own} />}
  </Empty>
);
