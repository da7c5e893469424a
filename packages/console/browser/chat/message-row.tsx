import type { FetchedMessage } from '@bellhop/protocol';

import { Avatar } from '../controls/avatar.tsx';
import { Time } from '../controls/time.tsx';
import { memo } from '../list/memo.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { MessageContent } from './message-content.tsx';
import { RecipientHead } from './recipient-head.tsx';
import { strings } from './strings.ts';
import type { View } from './view.ts';

interface MessageRowProps {
  readonly account: LiveAccount;
  readonly view: View;
  readonly message: FetchedMessage;
  readonly before: FetchedMessage | undefined;
  readonly isFirstUnread: boolean;
}
const GROUPED_SECONDS = 600;

/** One message. Messages of one sender that follow each other within ten minutes share a head. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { account, view, message, before, isFirstUnread } = props;
  const isSamePlace = before !== undefined && placeOf(before) === placeOf(message);
  const isGrouped =
    isSamePlace &&
    !isFirstUnread &&
    before.sender_id === message.sender_id &&
    message.timestamp - before.timestamp < GROUPED_SECONDS;
  const isUnread = !message.flags.includes('read');
  return (
    <>
      {!isSamePlace && <RecipientHead account={account} view={view} message={message} />}
      {isFirstUnread && <div class="unread-line">{strings.unreadBelow}</div>}
      <article
        class={`message ${isGrouped ? 'grouped' : ''} ${isUnread ? 'is-unread' : ''}`}
        tabindex={-1}
        aria-label={message.sender_full_name}
      >
        {isGrouped ? (
          <span class="message-gutter">
            <Time seconds={message.timestamp} short />
          </span>
        ) : (
          <Avatar name={message.sender_full_name} id={message.sender_id} />
        )}
        <div class="grow">
          {!isGrouped && (
            <header class="message-head">
              <strong>{message.sender_full_name}</strong>
              <Time seconds={message.timestamp} />
            </header>
          )}
          <MessageContent html={message.content} account={account} />
          {message.last_edit_timestamp !== undefined && (
            <span class="message-note">{strings.edited}</span>
          )}
        </div>
      </article>
    </>
  );
});

const placeOf = ({ stream_id, subject, recipient_id }: FetchedMessage) =>
  stream_id === undefined ? `r${recipient_id}` : `${stream_id} ${subject.toLowerCase()}`;
