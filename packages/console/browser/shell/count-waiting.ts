import { foldCase, type InitialState, visibilityPolicies } from '@bellhop/protocol';

import { settingsOf } from '../live/user-setting.ts';

type State = Pick<InitialState, 'unread_msgs' | 'user_topics' | 'user_settings'>;

const keyOf = (channel: number, topic: string) => `${channel} ${foldCase(topic)}`;

/** The number of unread messages that the title of the page counts: setting `desktop_icon_count_display`. */
export function countWaiting(state: State): number {
  const { unread_msgs, user_topics } = state;
  const { desktop_icon_count_display: counted } = settingsOf(state);
  if (!unread_msgs || counted === 4) return 0;
  if (counted === 1) return unread_msgs.count;
  const followed = new Set(
    (user_topics ?? [])
      .filter(({ visibility_policy }) => visibility_policy === visibilityPolicies.followed)
      .map(({ stream_id, topic_name }) => keyOf(stream_id, topic_name)),
  );
  const isCounted = ({ stream_id, topic }: { stream_id: number; topic: string }) =>
    counted === 2 && followed.has(keyOf(stream_id, topic));
  const conversations = [
    ...unread_msgs.pms,
    ...unread_msgs.huddles,
    ...unread_msgs.streams.filter(isCounted),
  ];
  const ids = conversations.flatMap(({ unread_message_ids }) => unread_message_ids);
  // A message that mentions the user may be in one of these conversations.
  return new Set([...ids, ...unread_msgs.mentions]).size;
}
