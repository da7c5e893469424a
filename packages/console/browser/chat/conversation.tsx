import { useEffect, useState } from 'preact/hooks';

import { Avatar } from '../controls/avatar.tsx';
import { Empty } from '../controls/empty.tsx';
import { ErrorNotice } from '../controls/error-notice.tsx';
import { Icon } from '../controls/icon.tsx';
import { WindowList } from '../list/window-list.tsx';
import type { LiveAccount } from '../live/live-account.ts';
import { href } from '../navigation/location.ts';
import { Loading } from '../shell/part-view.tsx';
import { Composer } from './composer.tsx';
import { type Feed, openFeed } from './feed.ts';
import { MessageRow } from './message-row.tsx';
import { nameOfUser, titleOf } from './names.ts';
import { strings } from './strings.ts';
import type { View } from './view.ts';

interface ConversationProps {
  readonly account: LiveAccount;
  readonly view: View;
  readonly near: number | undefined;
  /** Whether it is the second account's. */
  readonly isBeside?: boolean;
}

/** The messages of a view and the field to write one. Mount it anew for another view. */
export function Conversation({ account, view, near, isBeside = false }: ConversationProps) {
  const [feed, setFeed] = useState<Feed | undefined>(undefined);
  useEffect(() => {
    const opened = openFeed(account, view, near);
    setFeed(opened);
    return opened.stop;
  }, [account]);
  const state = account.state.value;
  if (!state) return null;
  return (
    <section class="conversation" aria-label={titleOf(state, view, account.user_id)}>
      <header class="conversation-head">
        <a class="icon-button back" href={href(['chat'])} aria-label={strings.back}>
          <Icon name="arrow-left" />
        </a>
        {isBeside && (
          <Avatar small name={nameOfUser(state, account.user_id)} id={account.user_id} />
        )}
        <h2 class="grow clip">{titleOf(state, view, account.user_id)}</h2>
      </header>
      {feed && <Messages account={account} view={view} feed={feed} near={near} />}
      <Composer account={account} view={view} />
    </section>
  );
}

interface MessagesProps extends Omit<ConversationProps, 'isBeside'> {
  readonly feed: Feed;
}

function Messages({ account, view, feed, near }: MessagesProps) {
  const messages = feed.messages.value;
  const { oldest, newest } = feed.isComplete.value;
  if (messages.length === 0) {
    if (feed.error.value !== undefined)
      return <ErrorNotice error={feed.error.value} onRetry={feed.retry} />;
    if (feed.isLoading.value) return <Loading />;
    return (
      <Empty icon="message-square" title={strings.noMessages}>
        <p>{strings.noMessagesText}</p>
      </Empty>
    );
  }
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
        render={(message, before) => (
          <MessageRow
            account={account}
            view={view}
            message={message}
            before={before}
            isFirstUnread={message.id === feed.firstUnread.value}
          />
        )}
      />
    </>
  );
}
