import { useEffect, useMemo } from 'preact/hooks';

import { Empty } from '../controls/empty.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { WindowList } from '../list/window-list.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { Lazy } from '../shell/lazy.tsx';
import { Loading } from '../shell/part-view.tsx';
import { useChatKeys } from './chat-keys.ts';
import type { Feed } from './feed.ts';
import { type MessageActions, messageActions } from './message-actions.ts';
import { MessageRow } from './message-row.tsx';
import { readMarker } from './read-marker.ts';
import { strings } from './strings.ts';
import type { View } from './view.ts';

interface MessagesProps {
  readonly account: LiveAccount;
  readonly view: View;
  readonly feed: Feed;
  readonly near: number | undefined;
  /** Whether keys act on these messages: not on those of the second account. */
  readonly hasKeys: boolean;
}

const loadDialogs = async () => (await import('./message-dialogs.tsx')).MessageDialogs;

/** The messages of a view, or the reason why there are none. */
export function Messages(props: MessagesProps) {
  const { account, view, feed, hasKeys } = props;
  const actions = useMemo(() => messageActions(account, feed), [feed]);
  return (
    <>
      {hasKeys && <Keys {...props} actions={actions} />}
      {actions.dialog.value && <Lazy load={loadDialogs} props={{ account, actions }} />}
      {feed.messages.value.length > 0 ? (
        <MessageList {...props} actions={actions} />
      ) : feed.error.value !== undefined ? (
        <ErrorNotice error={feed.error.value} onRetry={feed.retry} />
      ) : feed.isLoading.value ? (
        <Loading />
      ) : view.kind === 'search' ? (
        <Empty icon="search" title={strings.nothingFound}>
          <p>{strings.nothingFoundText}</p>
        </Empty>
      ) : (
        <Empty icon="message-square" title={strings.noMessages}>
          <p>{strings.noMessagesText}</p>
        </Empty>
      )}
    </>
  );
}

type WithActions = MessagesProps & { readonly actions: MessageActions };

function Keys({ account, actions, feed }: WithActions) {
  useChatKeys({ account, actions, messages: () => feed.messages.peek() });
  return null;
}

function MessageList({ account, view, feed, near, actions }: WithActions) {
  const messages = feed.messages.value;
  const { oldest, newest } = feed.isComplete.value;
  const marker = useMemo(() => readMarker(account, view), [feed]);
  useEffect(() => marker.stop, [marker]);
  const target = near ?? feed.firstUnread.value;
  return (
    <>
      <ErrorNotice error={feed.error.value} onRetry={feed.retry} />
      <WindowList
        items={messages}
        keyOf={({ id }) => String(id)}
        label={strings.messages}
        role="log"
        start="end"
        target={target === undefined ? undefined : String(target)}
        onStart={oldest ? undefined : feed.loadOlder}
        onEnd={newest ? undefined : feed.loadNewer}
        onSeen={(first, last) => marker.seen(messages, Number(first), Number(last))}
        render={(message, before) => (
          <MessageRow
            account={account}
            view={view}
            actions={actions}
            message={message}
            before={before}
            isFirstUnread={message.id === feed.firstUnread.value}
          />
        )}
      />
    </>
  );
}
