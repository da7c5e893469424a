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
  <Empty icon="webhook" title="No deliveries yet">
    <p>
      Messages that the server sends to bots with an outgoing webhook appear here. Write to a bot in
      Chat, or send a test.
    </p>
    {own && <SendTest account={account} bot={own} />}
  </Empty>
);
