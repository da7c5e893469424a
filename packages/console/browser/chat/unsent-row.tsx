import type { FetchedMessage } from '@bellhop/protocol';

import { Avatar } from '../controls/avatar.tsx';
import { Button } from '../controls/button.tsx';
import { Icon } from '../controls/icon.tsx';
import { memo } from '../list/memo.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { placeOf, viewOfDestination } from './compose/destination.ts';
import type { Outbox } from './compose/outbox.ts';
import type { Unsent } from './compose/unsent.ts';
import { GROUPED_SECONDS } from './message-row.tsx';
import { nameOfUser } from './names.ts';
import { RecipientHead, viewOfMessage } from './recipient-head.tsx';
import type { View } from './view.ts';

interface UnsentRowProps {
  readonly account: LiveAccount;
  readonly view: View;
  readonly outbox: Outbox;
  readonly unsent: Unsent;
  readonly before: FetchedMessage | Unsent | undefined;
}

/** A message that is being sent, or why it could not be sent. */
export const UnsentRow = memo(function UnsentRow(props: UnsentRowProps) {
  const { account, view, outbox, unsent, before } = props;
  const state = account.state.peek();
  if (!state) return null;
  const self = account.user_id;
  const name = nameOfUser(state, self);
  const of = viewOfDestination(unsent.to);
  const isSamePlace = before !== undefined && placeOf(viewOf(before, self)) === placeOf(of);
  const isGrouped =
    isSamePlace &&
    ('local_id' in before || before.sender_id === self) &&
    unsent.timestamp - before.timestamp < GROUPED_SECONDS;
  return (
    <>
      {!isSamePlace && <RecipientHead account={account} view={view} of={of} />}
      <article class={isGrouped ? 'message unsent grouped' : 'message unsent'} aria-label={name}>
        {isGrouped ? <span class="message-gutter" /> : <Avatar name={name} id={self} />}
        <div class="grow">
          {!isGrouped && (
            <header class="message-head">
              <strong>{name}</strong>
            </header>
          )}
          <div class="content">
            <p>{unsent.content}</p>
          </div>
          {unsent.reason !== undefined && (
            <div class="notice" role="alert">
              <Icon name="circle-alert" />
              <span class="grow">Not sent. {unsent.reason}</span>
              <Button icon="refresh-cw" onClick={() => outbox.retry(unsent)}>
                Retry
              </Button>
              <Button icon="trash" onClick={() => outbox.discard(unsent)}>
                Discard
              </Button>
            </div>
          )}
        </div>
        {unsent.reason === undefined && <span class="message-note">sending</span>}
      </article>
    </>
  );
});

const viewOf = (item: FetchedMessage | Unsent, self: number): View =>
  'local_id' in item ? viewOfDestination(item.to) : viewOfMessage(item, self);
