import type { EventOf, InitialState, MessageId } from '@bellhop/protocol';

import { changed } from './state.ts';
import { idsOf, type Unread, withMention, withoutUnread, withUnreadIds } from './unread-rows.ts';

type Update = EventOf<'update_message'>;

/** An edit changes who is mentioned in what is unread; a move takes what is unread along. */
export function applyUpdateMessage(state: InitialState, event: Update): InitialState {
  return changed(state, 'unread_msgs', (unread) => {
    const unreadIds = new Set(idsOf(unread));
    const edited = unreadIds.has(event.message_id)
      ? withMention(unread, event.message_id, event.flags)
      : unread;
    const moved = event.message_ids.filter((id) => unreadIds.has(id));
    return moved.length === 0 ? edited : withMoved(edited, { state, event, moved });
  });
}

interface Move {
  readonly state: InitialState;
  readonly event: Update;
  readonly moved: readonly MessageId[];
}

function withMoved(unread: Unread, { state, event, moved }: Move): Unread {
  const { stream_id, new_stream_id, subject = event.orig_subject } = event;
  const to = new_stream_id ?? stream_id;
  if (to === undefined || subject === undefined) return unread;
  const rest = withoutUnread(unread, new Set(moved));
  // What moves to a channel the reader is not subscribed to has been marked as read.
  const isSubscribed =
    state.subscriptions?.some((channel) => channel.stream_id === to) ??
    !event.flags.includes('read');
  if (new_stream_id !== undefined && !isSubscribed) return rest;
  return {
    ...rest,
    count: unread.count,
    mentions: unread.mentions,
    streams: withUnreadIds(rest.streams, { stream_id: to, topic: subject }, moved),
  };
}

/**
 * Deleted messages are neither unread nor starred. The newest message ID stays where it was, also
 * that of a direct conversation: which one is the newest now only the server knows.
 */
export function applyDeleteMessage(
  state: InitialState,
  event: EventOf<'delete_message'>,
): InitialState {
  const ids = new Set('message_ids' in event ? event.message_ids : [event.message_id]);
  const next = changed(state, 'unread_msgs', (unread) => withoutUnread(unread, ids));
  return changed(next, 'starred_messages', (starred) => starred.filter((id) => !ids.has(id)));
}
