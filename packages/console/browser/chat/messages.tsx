import type { FetchedMessage } from '@bellhop/protocol';
import { ApiError } from '@bellhop/protocol/plain';
import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

import { Empty } from '../controls/empty.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { ListLoading } from '../list/list-loading.tsx';
import { WindowList } from '../list/window-list.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { Lazy } from '../shell/lazy.tsx';
import { useChatKeys } from './chat-keys.ts';
import { isShownIn } from './compose/destination.ts';
import { outboxOf } from './compose/outbox.ts';
import type { Unsent } from './compose/unsent.ts';
import { useEditedByOthers } from './edited-by-others.ts';
import type { Feed } from './feed.ts';
import { focusMessage } from './focus-message.ts';
import type { MessageActions } from './message-actions.ts';
import { MessageRow } from './message-row.tsx';
import { NewBelow, useNewBelow } from './new-below.tsx';
import { readMarker } from './read-marker.ts';
import { UnsentRow } from './unsent-row.tsx';
import { useAim } from './use-aim.ts';
import type { View } from './view.ts';

const emptyTexts = {
  all: 'Messages in your channels and conversations appear here.',
  mentions: 'Messages that mention you, such as @**Your Name**, appear here.',
  starred: 'Star a message to find it here later.',
  channel: 'Write the first message below.',
  topic: 'Write the first message below.',
  direct: 'Write the first message below.',
};

interface MessagesProps {
  readonly account: LiveAccount;
  readonly view: View;
  readonly feed: Feed;
  readonly actions: MessageActions;
  /** The topic of the message that is written to a channel as a whole. */
  readonly topic: Signal<string>;
  readonly near: number | undefined;
  /** Whether keys act on these messages: not on those of the second account. */
  readonly hasKeys: boolean;
}

/** The same at every render, so that the list is not made anew. */
const NONE: readonly Unsent[] = [];
const loadDialogs = async () => (await import('./message-dialogs.tsx')).MessageDialogs;

/** The messages of a view, or the reason why there are none. */
export function Messages(props: MessagesProps) {
  const { account, view, feed, actions, hasKeys } = props;
  const outbox = outboxOf(account);
  const messages = feed.messages.value;
  const kept = outbox.unsent.value;
  const unsent = useMemo(() => {
    const waiting = kept.filter(({ to }) => isShownIn(view, to));
    if (waiting.length === 0) return NONE;
    const ids = new Set<number>(messages.map(({ id }) => id));
    return waiting.filter(({ id = -1 }) => !ids.has(id));
  }, [messages, kept, view]);
  return (
    <>
      {hasKeys && <Keys {...props} />}
      {actions.dialog.value && <Lazy load={loadDialogs} props={{ account, actions }} />}
      {messages.length + unsent.length > 0 ? (
        <MessageList {...props} unsent={unsent} />
      ) : isNotUnderstood(feed.error.value) ? (
        <Empty icon="search" title="The search was not understood">
          <p>{wordsOf(feed.error.value)}</p>
          <SearchHelp />
        </Empty>
      ) : feed.error.value !== undefined ? (
        <ErrorNotice error={feed.error.value} onRetry={feed.retry} />
      ) : feed.isLoading.value ? (
        <ListLoading />
      ) : view.kind === 'search' ? (
        <Empty icon="search" title="No messages found">
          <SearchHelp />
        </Empty>
      ) : (
        <Empty icon="message-square" title="No messages yet">
          <p>{emptyTexts[view.kind]}</p>
        </Empty>
      )}
    </>
  );
}

const isNotUnderstood = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'BAD_NARROW';

/** What is wrong with a search: `Invalid narrow operator: unknown user 'bo'` is for programs. */
function wordsOf({ message }: ApiError): string {
  const unknown = /unknown user(?: in)? '(.*)'/.exec(message)?.[1];
  if (unknown !== undefined)
    return `“${unknown}” is no name of one person alone: write more of it, or the address.`;
  const words = message.replace(/^Invalid narrow operator: /, '');
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
}

const SearchHelp = () => (
  <p>
    You can search by from:Name, channel:name, topic:name, dm:Name, is:unread, is:starred,
    is:mentioned, has:link, has:image and by words. A minus excludes: -from:Name.
  </p>
);

function Keys(props: MessagesProps) {
  useChatKeys(props);
  return null;
}

interface ListProps extends MessagesProps {
  readonly unsent: readonly Unsent[];
}

function MessageList(props: ListProps) {
  const { account, view, feed, near, actions, unsent, hasKeys } = props;
  const messages = feed.messages.value;
  const items = useMemo(() => [...messages, ...unsent], [messages, unsent]);
  const outbox = outboxOf(account);
  const editedByOthers = useEditedByOthers(account);
  const { oldest, newest } = feed.isComplete.value;
  const jump = useSignal<number | undefined>(undefined);
  const aim = useAim({ near, unsent: unsent.map(keyOf), jump: jump.value });
  const below = useNewBelow(feed);
  const marker = useMemo(() => readMarker(account, view, feed), [feed]);
  useEffect(() => marker.stop, [marker]);
  useEffect(() => {
    if (near !== undefined && hasKeys) focusMessage(near);
  }, [near]);
  return (
    <>
      <ErrorNotice error={feed.error.value} onRetry={feed.retry} />
      <WindowList
        items={items}
        keyOf={keyOf}
        label="Messages"
        role="log"
        start="end"
        target={aim ?? feed.firstUnread.value?.toString()}
        onStart={oldest ? undefined : () => void feed.loadOlder()}
        onEnd={newest ? undefined : () => void feed.loadNewer()}
        onSeen={(first, last) => {
          marker.seen(idOf(first), idOf(last));
          below.seen(Math.min(idOf(last), messages.at(-1)?.id ?? 0));
        }}
        render={(item, before) =>
          'local_id' in item ? (
            <UnsentRow {...{ account, view, outbox, before }} unsent={item} />
          ) : (
            <MessageRow
              account={account}
              view={view}
              actions={actions}
              editedByOthers={editedByOthers}
              message={item}
              before={before as FetchedMessage | undefined}
              isFirstUnread={item.id === feed.firstUnread.value}
            />
          )
        }
      />
      <NewBelow count={below.count} onPress={() => (jump.value = messages.at(-1)?.id)} />
    </>
  );
}

const keyOf = (item: FetchedMessage | Unsent) =>
  'local_id' in item ? `unsent ${item.local_id}` : String(item.id);

/** The ID of a message by its key; those that are not sent come after all others. */
const idOf = (key: string) => (key.startsWith('unsent') ? Infinity : Number(key));
