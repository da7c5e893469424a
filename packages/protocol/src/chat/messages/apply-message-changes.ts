import type { z } from 'zod';

import type { MessageId } from '../../values/ids.ts';
import { changed } from '../changed.ts';
import type { ChannelState } from '../channels/channel-state.ts';
import { type MuteState, mutedTopicTest } from './is-muted-topic.ts';
import type { DeleteMessageEvent, UpdateMessageEvent } from './message-events.ts';
import type { MessageState, UnreadMessages } from './message-state.ts';
import { idsOf, withMention, withoutUnread, withUnreadIds } from './unread-rows.ts';

type Update = z.output<typeof UpdateMessageEvent>;
type State = MessageState & Pick<ChannelState, 'subscriptions'> & Pick<MuteState, 'user_topics'>;

/**
 * Applies an `update_message` event to the unread messages: an edit changes mentions, a move the
 * topic.
 */
export function applyUpdateMessage(state: State, event: Update): State {
  return changed(state, 'unread_msgs', (unread) => {
    const unreadIds = new Set(idsOf(unread));
    const edited = unreadIds.has(event.message_id)
      ? withMention(unread, event.message_id, {
          flags: event.flags,
          isMuted: isMutedFor(state, event),
        })
      : unread;
    const moved = event.message_ids.filter((id) => unreadIds.has(id));
    return moved.length === 0 ? edited : withMoved(edited, { state, event, moved });
  });
}

/** Events of edited contents do not name the topic: the unread messages do. */
function isMutedFor(state: State, { message_id }: Update): boolean {
  const place = state.unread_msgs?.streams.find(({ unread_message_ids }) =>
    unread_message_ids.includes(message_id),
  );
  return place !== undefined && mutedTopicTest(state)(place.stream_id, place.topic);
}

interface Move {
  readonly state: State;
  readonly event: Update;
  readonly moved: readonly MessageId[];
}

function withMoved(unread: UnreadMessages, { state, event, moved }: Move): UnreadMessages {
  const { stream_id, new_stream_id } = event;
  // Messages whose channel alone changes keep the letter case of their topic, which the event does not name.
  const row = unread.streams.find(({ unread_message_ids: [first] }) => first === moved[0]);
  const subject = event.subject ?? row?.topic ?? event.orig_subject;
  const to = new_stream_id ?? stream_id;
  if (to === undefined || subject === undefined) return unread;
  const rest = withoutUnread(unread, new Set(moved));
  // The server marks messages as read that move to a channel the owner is not subscribed to.
  const isSubscribed =
    state.subscriptions?.some((channel) => channel.stream_id === to) ??
    !event.flags.includes('read');
  if (new_stream_id !== undefined && !isSubscribed) return rest;
  return {
    ...rest,
    mentions: unread.mentions,
    streams: withUnreadIds(rest.streams, { stream_id: to, topic: subject }, moved),
  };
}

/**
 * Removes deleted messages from the unread and the starred ones. `max_message_id` stays, also in
 * recent direct conversations: only the server knows which message is the newest now.
 */
export function applyDeleteMessage(
  state: MessageState,
  event: z.output<typeof DeleteMessageEvent>,
): MessageState {
  const ids = new Set('message_ids' in event ? event.message_ids : [event.message_id]);
  const next = changed(state, 'unread_msgs', (unread) => withoutUnread(unread, ids));
  return changed(next, 'starred_messages', (starred) => starred.filter((id) => !ids.has(id)));
}
