import { type FetchedMessage, foldCase } from '@bellhop/protocol';
import { type ReadonlySignal, useComputed, useSignal } from '@preact/signals';

import { Avatar } from '../controls/avatar.tsx';
import { Icon } from '../controls/icon.tsx';
import { Pill } from '../controls/pill.tsx';
import { Time } from '../controls/time.tsx';
import { memo } from '../list/memo.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { Boundary } from '../shell/boundary.tsx';
import { Lazy } from '../shell/lazy.tsx';
import { openDialog } from './dialogs/opened-dialog.ts';
import type { MessageActions } from './message-actions.ts';
import { MessageContent } from './message-content.tsx';
import { MessageToolbar } from './message-toolbar.tsx';
import { userOf } from './names.ts';
import { Reactions } from './reactions.tsx';
import { RecipientHead, viewOfMessage } from './recipient-head.tsx';
import { Dots } from './typing-line.tsx';
import type { View } from './view.ts';
import { isWidget, Widget } from './widgets/widget.tsx';

interface MessageRowProps {
  readonly account: LiveAccount;
  readonly view: View;
  readonly actions: MessageActions;
  /** The IDs of messages. */
  readonly editedByOthers: ReadonlySignal<readonly number[]>;
  readonly message: FetchedMessage;
  readonly before: FetchedMessage | undefined;
  readonly isFirstUnread: boolean;
}
/** What the reply of a bot that failed may have. */
const REFERENCE = /\bReference [\da-f]{8}\b/;

const loadReference = async () => (await import('./failure-reference.tsx')).FailureReference;

const loadEditor = async () => (await import('./edit-message.tsx')).EditMessage;

/** Messages of one sender that follow each other within this time share a head. */
export const GROUPED_SECONDS = 600;

/** One message. Messages of one sender that follow each other within ten minutes share a head. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { account, view, actions, editedByOthers, message, before, isFirstUnread } = props;
  const isActive = useComputed(() => actions.active.value === message.id).value;
  const isEditing = useComputed(() => actions.editing.value === message.id).value;
  const isBeingEdited = useComputed(() => editedByOthers.value.includes(message.id)).value;
  const isMuted = useComputed(
    () => account.state.value?.muted_users?.some(({ id }) => id === message.sender_id) === true,
  ).value;
  const name = useComputed(() => senderOf(account, message)).value;
  const isRevealed = useSignal(false);
  const isSamePlace = before !== undefined && placeOf(before) === placeOf(message);
  const isGrouped = isSamePlace && !isFirstUnread && followsClosely(before, message);
  const activate = () => (actions.active.value = message.id);
  return (
    <>
      {!isSamePlace && (
        <RecipientHead
          account={account}
          view={view}
          of={viewOfMessage(message, account.user_id)}
          near={message.id}
        />
      )}
      {isFirstUnread && <div class="unread-line">New</div>}
      <article
        class={isGrouped ? 'message grouped' : 'message'}
        tabindex={-1}
        aria-label={name}
        data-message={message.id}
        onMouseEnter={activate}
        onFocusIn={activate}
        onClick={activate}
      >
        {isGrouped ? (
          <span class="message-gutter">
            <Time seconds={message.timestamp} short />
          </span>
        ) : (
          <Avatar name={name} id={message.sender_id} />
        )}
        <div class="grow">
          {!isGrouped && <MessageHead account={account} message={message} name={name} />}
          {isMuted && !isRevealed.value ? (
            <button type="button" class="link-button" onClick={() => (isRevealed.value = true)}>
              Show message from a person you muted
            </button>
          ) : (
            <>
              {isEditing ? (
                <Lazy
                  load={loadEditor}
                  props={{ account, message, onClose: () => (actions.editing.value = undefined) }}
                />
              ) : (
                !isWidget(message) && (
                  <MessageContent
                    html={message.match_content ?? message.content}
                    account={account}
                  />
                )
              )}
              {message.sender_id !== account.user_id && REFERENCE.test(message.content) && (
                <Lazy load={loadReference} props={{ account, message }} />
              )}
              <Boundary>
                <Widget account={account} message={message} actions={actions} />
              </Boundary>
              <Reactions account={account} message={message} actions={actions} />
              {isBeingEdited ? (
                <span class="message-note being-edited" role="status">
                  <Dots />
                  {name} is editing this message
                </span>
              ) : (
                message.last_edit_timestamp !== undefined && (
                  <span class="message-note">edited</span>
                )
              )}
            </>
          )}
        </div>
        {message.flags.includes('starred') && (
          <span class="message-star" title="Starred">
            <Icon name="star" />
          </span>
        )}
        {isActive && !isEditing && (
          <MessageToolbar account={account} message={message} actions={actions} />
        )}
      </article>
    </>
  );
});

/** The name of the sender as of now: messages keep the one that they were sent with. */
const senderOf = ({ state }: LiveAccount, { sender_id, sender_full_name }: FetchedMessage) =>
  (state.value && userOf(state.value, sender_id)?.full_name) ?? sender_full_name;

interface MessageHeadProps extends Pick<MessageRowProps, 'account' | 'message'> {
  readonly name: string;
}

function MessageHead({ account, message, name }: MessageHeadProps) {
  const state = account.state.peek();
  const isBot = state && userOf(state, message.sender_id)?.is_bot;
  return (
    <header class="message-head">
      <button
        type="button"
        class="name-button clip"
        onClick={() => openDialog(account, { kind: 'person', user_id: message.sender_id })}
      >
        {name}
      </button>
      {isBot && (
        <Pill tone="info" icon="bot">
          Bot
        </Pill>
      )}
      <Time seconds={message.timestamp} />
    </header>
  );
}

const followsClosely = (before: FetchedMessage, message: FetchedMessage) =>
  before.sender_id === message.sender_id && message.timestamp - before.timestamp < GROUPED_SECONDS;

const placeOf = ({ stream_id, subject, recipient_id }: FetchedMessage) =>
  stream_id === undefined ? `r${recipient_id}` : `${stream_id} ${foldCase(subject)}`;
