import { type FetchedMessage, mutedTopicTest } from '@bellhop/protocol';

import { Empty } from '../../controls/empty.tsx';
import { ErrorNotice } from '../../controls/error-notice.tsx';
import { Time } from '../../controls/time.tsx';
import { ListLoading } from '../../list/list-loading.tsx';
import type { LiveAccount } from '../../live/live-account.ts';
import { useResource } from '../../loading/use-resource.ts';
import { placeOf } from '../compose/destination.ts';
import { Link } from '../link.tsx';
import { titleOf } from '../names.ts';
import { viewOfMessage } from '../recipient-head.tsx';
import { countUnread } from '../unread.ts';
import { HomeHead } from './home-head.tsx';

/** The newest messages, whose conversations are shown. */
const MESSAGES = 400;
/** New messages are awaited for so long, so that many of them are fetched at once. */
const SETTLE_MS = 1000;

const changesMessages = ({ type }: { readonly type: string }) =>
  type === 'message' || type === 'update_message' || type === 'delete_message';

/** The conversations of the newest messages, the newest one first, without muted ones. */
export function RecentConversations({ account }: { readonly account: LiveAccount }) {
  const { value, error, refresh } = useResource(
    (signal) =>
      account.client.messages.fetch(
        {
          anchor: 'newest',
          num_before: MESSAGES,
          num_after: 0,
          allow_empty_topic_name: true,
        },
        { signal },
      ),
    [],
    { account, on: changesMessages, settleMs: SETTLE_MS },
  );
  const state = account.state.value;
  if (!state) return null;
  const { user_id } = account;
  const isMuted = mutedTopicTest(state);
  const unread = countUnread(state, user_id);
  const newest = newestOfEach(value?.messages ?? [], user_id).filter(
    ({ stream_id, subject }) => stream_id === undefined || !isMuted(stream_id, subject),
  );
  return (
    <section class="home" aria-label="Recent conversations">
      <HomeHead title="Recent conversations" />
      <ErrorNotice error={error} onRetry={refresh} />
      {!value && error === undefined && <ListLoading />}
      {value && newest.length === 0 && (
        <Empty icon="message-square" title="No conversations yet">
          <p>Conversations appear here with their first message.</p>
        </Empty>
      )}
      <ul role="list" class="home-group">
        {newest.map((message) => {
          const view = viewOfMessage(message, user_id);
          return (
            <li key={placeOf(view)} class="row">
              <Link view={view} isShown={() => false} count={unread.of(view)}>
                {titleOf(state, view, user_id)}
                <span class="muted"> {message.sender_full_name}</span>
              </Link>
              <Time seconds={message.timestamp} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The newest message of each conversation, the newest one first. */
function newestOfEach(messages: readonly FetchedMessage[], self: number) {
  const found = new Map<string, FetchedMessage>();
  for (const message of messages.toReversed()) {
    const place = placeOf(viewOfMessage(message, self));
    if (!found.has(place)) found.set(place, message);
  }
  return [...found.values()];
}
