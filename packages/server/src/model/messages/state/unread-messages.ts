import {
  foldCase,
  isMutedTopic,
  isShownMention,
  type MessageId,
  shownTopic,
  type UnreadMessages,
  type UserId,
} from '@bellhop/protocol';

import { flagNames } from '../read/flags.ts';
import { MAX_UNREAD, type Mutes, topicKey, type UnreadRow } from './queries.ts';

/**
 * Unread messages by conversation: channel messages by channel ID and topic, direct messages by user ID,
 * group messages by their list of user IDs. `count` is without muted channels and topics.
 */
export function unreadMessages(
  rows: readonly UnreadRow[],
  reader: { readonly id: UserId; readonly empty_topic_name: boolean; readonly mutes: Mutes },
): UnreadMessages {
  const streams = new Map<string, UnreadMessages['streams'][number]>();
  const pms = new Map<UserId, UnreadMessages['pms'][number]>();
  const huddles = new Map<string, UnreadMessages['huddles'][number]>();
  const mentions: MessageId[] = [];
  const { channels, policies } = reader.mutes;
  for (const { message_id, channel_id, topic, user_ids, flags } of rows) {
    const isMuted =
      channel_id !== null &&
      isMutedTopic(policies.get(topicKey(channel_id, topic)), channels.has(channel_id));
    if (isShownMention(flagNames(flags), isMuted)) mentions.push(message_id);
    if (channel_id !== null) {
      const shown = shownTopic(topic, reader.empty_topic_name);
      const place = { stream_id: channel_id, topic: shown };
      into(streams, topicKey(channel_id, topic), place, message_id);
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
    count: rows.length - mutedCount(streams, reader.mutes),
    pms: [...pms.values()].toSorted((a, b) => a.other_user_id - b.other_user_id),
    streams: [...streams.values()].toSorted(
      (a, b) => a.stream_id - b.stream_id || compare(foldCase(a.topic), foldCase(b.topic)),
    ),
    huddles: [...huddles.values()].toSorted((a, b) =>
      compare(a.user_ids_string, b.user_ids_string),
    ),
    mentions,
    old_unreads_missing: rows.length === MAX_UNREAD,
  };
}

function mutedCount(
  topics: ReadonlyMap<string, UnreadMessages['streams'][number]>,
  { channels, policies }: Mutes,
): number {
  let count = 0;
  for (const [key, { stream_id, unread_message_ids }] of topics)
    if (isMutedTopic(policies.get(key), channels.has(stream_id)))
      count += unread_message_ids.length;
  return count;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

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
