import type { InitialState } from '../initial-state.ts';
import { isMutedTopic } from './is-muted-topic.ts';

/**
 * Corrects the count of unread messages after an event, which may have changed these messages or
 * what is muted. Channels and topics that the state does not know count as not muted.
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

function shownCount({ unread_msgs, subscriptions = [], user_topics = [] }: InitialState): number {
  if (!unread_msgs) return 0;
  const muted = new Set(
    subscriptions.filter(({ is_muted }) => is_muted).map(({ stream_id }) => stream_id),
  );
  const keyOf = (channel: number, topic: string) => `${channel} ${topic.toLowerCase()}`;
  const policies = new Map(
    user_topics.map(({ stream_id, topic_name, visibility_policy }) => [
      keyOf(stream_id, topic_name),
      visibility_policy,
    ]),
  );
  const topics = unread_msgs.streams.filter(
    ({ stream_id, topic }) =>
      !isMutedTopic(policies.get(keyOf(stream_id, topic)), muted.has(stream_id)),
  );
  return [...unread_msgs.pms, ...unread_msgs.huddles, ...topics].reduce(
    (sum, { unread_message_ids }) => sum + unread_message_ids.length,
    0,
  );
}
