import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';

import { Avatar } from '../controls/avatar.tsx';
import { BackLink } from '../controls/back-link.tsx';
import { IconButton } from '../controls/button.tsx';
import { Empty } from '../controls/empty.tsx';
import { toastError } from '../controls/toasts.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { userSetting } from '../live/user-setting.ts';
import { go, href, setQuery } from '../navigation/location.ts';
import { Lazy } from '../shell/lazy.tsx';
import { usePageName } from '../shell/page-title.ts';
import { destinationOf } from './compose/destination.ts';
import { type Feed, openFeed } from './feed.ts';
import { isMessageShown } from './focus-message.ts';
import { hrefOf } from './href-of.ts';
import { markAllRead } from './mark-all-read.ts';
import { type MessageActions, messageActions } from './message-actions.ts';
import { Messages } from './messages.tsx';
import { channelOf, missingIn, nameOfUser, titleOf } from './names.ts';
import { PresenceText } from './presence.tsx';
import { TypingLine } from './typing-line.tsx';
import { countUnread } from './unread.ts';
import type { View } from './view.ts';

interface ConversationProps {
  readonly account: LiveAccount;
  readonly view: View;
  readonly near: number | undefined;
  /** Whether it is the second account's. */
  readonly isBeside?: boolean;
}

const loadComposer = async () => (await import('./compose/composer.tsx')).Composer;

const loadTools = async () => (await import('./conversation-tools.tsx')).ConversationTools;

/** The messages of a view and the field to write one. Mount it anew for another view. */
export function Conversation({ account, view, near, isBeside = false }: ConversationProps) {
  const [feed, setFeed] = useState<Feed | undefined>(undefined);
  const state = account.state.value;
  const missing = state && missingIn(state, view);
  useEffect(() => {
    if (missing !== undefined) return;
    const isThere = feed?.messages.peek().some(({ id }) => id === near);
    if (near === undefined || !isThere) setFeed(openFeed(account, view, near));
  }, [account, near, missing]);
  useEffect(() => feed?.stop, [feed]);
  const actions = useMemo(() => feed && messageActions(account, feed), [feed]);
  const topic = useSignal('');
  /** Brings a message that has left the field in sight; one to a channel as a whole in its topic. */
  const showSent = () => {
    if (view.kind === 'channel' && userSetting(account, 'web_navigate_to_sent_message'))
      go(hrefOf({ kind: 'topic', channel: view.channel, topic: topic.peek() }));
    else feed?.showNewest();
  };
  const editOwn = () => {
    if (feed && actions) editLast(account, feed, actions);
  };
  useEffect(
    () =>
      feed?.movedTo.subscribe((to) => {
        if (to && !isBeside) go(hrefOf(to, { near: near?.toString() }), { replace: true });
      }),
    [feed],
  );
  const title = state && titleOf(state, view, account.user_id);
  usePageName(isBeside ? undefined : title);
  if (!state) return null;
  const channel = 'channel' in view ? channelOf(state, view.channel) : undefined;
  const [partner, ...others] = view.kind === 'direct' ? view.users : [];
  return (
    <section class="conversation" aria-label={title}>
      <header class="page-head">
        <BackLink to={href(['chat'])} label="Back to conversations" />
        {isBeside && (
          <Avatar small name={nameOfUser(state, account.user_id)} id={account.user_id} />
        )}
        <h2 class="clip">{title}</h2>
        <span class="grow clip muted">
          {channel?.description}
          {partner !== undefined && others.length === 0 && partner !== account.user_id && (
            <PresenceText account={account} user_id={partner} />
          )}
        </span>
        {countUnread(state, account.user_id).of(view) > 0 && (
          <IconButton
            icon="check-check"
            label="Mark all as read"
            onClick={() => void markAllRead(account, view).catch(toastError)}
          />
        )}
        {!isCollection(view) && <Lazy load={loadTools} props={{ account, view, isBeside }} />}
      </header>
      {missing === undefined ? (
        <>
          {feed && actions && (
            <Messages {...{ account, view, feed, actions, topic, near }} hasKeys={!isBeside} />
          )}
          <TypingLine account={account} view={view} />
          {channel?.is_archived === true && (
            <p class="composer-place muted">This channel is archived: nobody can write in it.</p>
          )}
          {channel?.is_archived !== true && destinationOf(view, '') && (
            <div class="composer-place">
              <Lazy
                load={loadComposer}
                props={{
                  account,
                  view,
                  topic,
                  movedTo: isBeside ? undefined : feed?.movedTo,
                  onUp: editOwn,
                  onSent: showSent,
                }}
              />
            </div>
          )}
        </>
      ) : (
        <Empty icon="search" title="Nothing to show">
          <p>{missing}</p>
        </Empty>
      )}
    </section>
  );
}

/** Edits the newest message of the user among those that were fetched. */
function editLast({ user_id }: LiveAccount, feed: Feed, { editing }: MessageActions): void {
  const last = feed.messages.peek().findLast(({ sender_id }) => sender_id === user_id);
  if (!last) return;
  editing.value = last.id;
  // A message out of sight is brought there.
  if (!isMessageShown(last.id)) setQuery({ near: String(last.id) }, { replace: true });
}

/** Whether the list of the chat has an entry for the view. */
const isCollection = ({ kind }: View) =>
  kind === 'all' || kind === 'mentions' || kind === 'starred';
