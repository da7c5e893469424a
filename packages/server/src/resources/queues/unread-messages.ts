import {
  type ChannelId,
  type InitialState,
  type MessageId,
  shownTopic,
  type UserId,
} from '@bellhop/protocol';

import { flagNames } from '../messages/flags.ts';
import { MOST_UNREAD, type UnreadRow } from './queries.ts';

type Unread = NonNullable<InitialState['unread_msgs']>;

/** Unread messages by conversation, as clients count them. */
export function unreadMessages(
  rows: readonly UnreadRow[],
  reader: { readonly id: UserId; readonly empty_topic_name: boolean },
): Unread {
  const streams = new Map<string, Unread['streams'][number]>();
  const pms = new Map<UserId, Unread['pms'][number]>();
  const huddles = new Map<string, Unread['huddles'][number]>();
  const mentions: MessageId[] = [];
  for (const { message_id, channel_id, topic, user_ids, flags } of rows) {
    if (flagNames(flags).some((name) => name.endsWith('mentioned'))) mentions.push(message_id);
    if (channel_id !== null) {
      const shown = shownTopic(topic, reader.empty_topic_name);
      const place = { stream_id: channel_id as ChannelId, topic: shown };
      into(streams, `${channel_id} ${topic.toLowerCase()}`, place, message_id);
      continue;
    }
    const others = (user_ids ?? []).filter((id) => id !== reader.id);
    const [only = reader.id] = others;
    if (others.length > 1) {
      const user_ids_string = (user_ids ?? []).join(',');
      into(huddles, user_ids_string, { user_ids_string }, message_id);
    } else into(pms, only, { other_user_id: only, sender_id: only }, message_id);
  }
  return {
    count: rows.length,
    pms: [...pms.values()],
    streams: [...streams.values()],
    huddles: [...huddles.values()],
    mentions,
    old_unreads_missing: rows.length === MOST_UNREAD,
  };
}

function into<K, P extends object>(
  places: Map<K, P & { unread_message_ids: MessageId[] }>,
  key: K,
  place: P,
  id: MessageId,
): void {
  const known = places.get(key);
  if (known) known.unread_message_ids.push(id);
  else places.set(key, { ...place, unread_message_ids: [id] });
}
