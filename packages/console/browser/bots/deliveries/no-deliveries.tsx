import type { Bot } from '@bellhop/protocol';

import { Empty } from '../../controls/empty.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { SendTest } from './send-test.tsx';
import { strings } from './strings.ts';

interface NoDeliveriesProps {
  readonly account: LiveAccount;
  readonly own: Bot | undefined;
}

/** Explains how to cause a delivery. */
export const NoDeliveries = ({ account, own }: NoDeliveriesProps) => (
  <Empty
    icon="webhook"
    title={strings.noDeliveries}
    command={`npx bellhop try message${own ? ` --to ${own.email} hi` : ''}`}
  >
    <p>{strings.noDeliveriesText}</p>
    {own && <SendTest account={account} bot={own} />}
  </Empty>
);
