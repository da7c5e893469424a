import { mutedTopicTest } from '../chat/messages/is-muted-topic.ts';
import type { InitialState } from './initial-state.ts';

/**
 * Corrects the count of unread messages after an event, which may have changed these messages or
 * the muted channels and topics.
 */
export function recountUnread(before: InitialState, after: InitialState): InitialState {
  const unread_msgs = after.unread_msgs;
  if (
    !unread_msgs ||
    !before.unread_msgs ||
    (before.unread_msgs === unread_msgs &&
      before.subscriptions === after.subscriptions &&
      before.user_topics === after.user_topics)
  )
    return after;
  const count = unread_msgs.count + shownCount(after) - shownCount(before);
  return { ...after, unread_msgs: { ...unread_msgs, count } };
}

function shownCount(state: InitialState): number {
  const { unread_msgs } = state;
  if (!unread_msgs) return 0;
  const isMuted = mutedTopicTest(state);
  const topics = unread_msgs.streams.filter(({ stream_id, topic }) => !isMuted(stream_id, topic));
  return [...unread_msgs.pms, ...unread_msgs.huddles, ...topics].reduce(
    (sum, { unread_message_ids }) => sum + unread_message_ids.length,
    0,
  );
}
