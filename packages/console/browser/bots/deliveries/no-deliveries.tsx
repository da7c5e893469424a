import type { Bot } from '@bellhop/protocol';

import { Button } from '../../controls/button.tsx';
import { Empty } from '../../controls/empty.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { query, setQuery } from '../../navigation/location.ts';
import { SendTest } from './send-test.tsx';
import { strings } from './strings.ts';

interface NoDeliveriesProps {
  readonly account: LiveAccount;
  readonly own: Bot | undefined;
}

/** Why there are no deliveries, and how to have one. */
export const NoDeliveries = ({ account, own }: NoDeliveriesProps) =>
  query.value['filter'] ? (
    <Empty icon="search" title={strings.noMatch}>
      <p>{strings.noMatchText}</p>
      <Button onClick={() => setQuery({ filter: undefined })}>{strings.clear}</Button>
    </Empty>
  ) : (
    <Empty
      icon="webhook"
      title={strings.noDeliveries}
      command={`npx bellhop try message${own ? ` --to ${own.email} hi` : ''}`}
    >
      <p>{strings.noDeliveriesText}</p>
      {own && <SendTest account={account} bot={own} />}
    </Empty>
  );
