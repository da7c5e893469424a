import type { FetchedMessage } from '@bellhop/protocol';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import { Empty } from '../controls/empty.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { WindowList } from '../list/window-list.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { Lazy } from '../shell/lazy.tsx';
import { Loading } from '../shell/part-view.tsx';
import { useChatKeys } from './chat-keys.ts';
import { isShownIn } from './compose/destination.ts';
import { outboxOf } from './compose/outbox.ts';
import type { Unsent } from './compose/unsent.ts';
import { useEditedByOthers } from './edited-by-others.ts';
import type { Feed } from './feed.ts';
import { type MessageActions, messageActions } from './message-actions.ts';
import { MessageRow } from './message-row.tsx';
import { readMarker } from './read-marker.ts';
import { strings } from './strings.ts';
import { UnsentRow } from './unsent-row.tsx';
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
  const outbox = outboxOf(account);
  const ids = new Set<number>(feed.messages.value.map(({ id }) => id));
  const unsent = outbox.unsent.value.filter(
    ({ to, id = -1 }) => isShownIn(view, to) && !ids.has(id),
  );
  return (
    <>
      {hasKeys && <Keys {...props} actions={actions} />}
      {actions.dialog.value && <Lazy load={loadDialogs} props={{ account, actions }} />}
      {feed.messages.value.length + unsent.length > 0 ? (
        <MessageList {...props} actions={actions} unsent={unsent} />
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

interface WithActions extends MessagesProps {
  readonly actions: MessageActions;
}

function Keys({ account, actions, feed }: WithActions) {
  useChatKeys({ account, actions, messages: () => feed.messages.peek() });
  return null;
}

interface ListProps extends WithActions {
  readonly unsent: readonly Unsent[];
}

function MessageList({ account, view, feed, near, actions, unsent }: ListProps) {
  const messages = feed.messages.value;
  const outbox = outboxOf(account);
  const editedByOthers = useEditedByOthers(account);
  const [known] = useState(unsent.map(keyOf));
  const sent = useRef<string>(undefined);
  sent.current = unsent.map(keyOf).findLast((key) => !known.includes(key)) ?? sent.current;
  const { oldest, newest } = feed.isComplete.value;
  const marker = useMemo(() => readMarker(account, view, feed), [feed]);
  useEffect(() => marker.stop, [marker]);
  const target = sent.current ?? near ?? feed.firstUnread.value;
  return (
    <>
      <ErrorNotice error={feed.error.value} onRetry={feed.retry} />
      <WindowList
        items={[...messages, ...unsent]}
        keyOf={keyOf}
        label={strings.messages}
        role="log"
        start="end"
        target={target === undefined ? undefined : String(target)}
        onStart={oldest ? undefined : feed.loadOlder}
        onEnd={newest ? undefined : feed.loadNewer}
        onSeen={(first, last) => marker.seen(idOf(first), idOf(last))}
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
    </>
  );
}

const keyOf = (item: FetchedMessage | Unsent) =>
  'local_id' in item ? `unsent ${item.local_id}` : String(item.id);

/** The ID of a message by its key; those that are not sent come after all others. */
const idOf = (key: string) => (key.startsWith('unsent') ? Infinity : Number(key));
