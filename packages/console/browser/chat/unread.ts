import { foldCase, type InitialState, mutedTopicTest } from '@bellhop/protocol';

import type { View } from './view.ts';

export interface Unread {
  /** Without muted topics. */
  readonly byChannel: ReadonlyMap<number, number>;
  /** Counts by `channel topic`, the topic in lower case. */
  readonly byTopic: ReadonlyMap<string, number>;
  /** Counts by the IDs of the other participants, joined by commas. */
  readonly byConversation: ReadonlyMap<string, number>;
  readonly mentions: number;
  /** Without muted topics. */
  readonly total: number;
  /** The count of a view; 0 for a search. */
  readonly of: (view: View) => number;
}

export const topicKey = (channel: number, topic: string): string => `${channel} ${foldCase(topic)}`;

/** The numbers of unread messages of a state. */
export function countUnread(state: InitialState, self: number): Unread {
  const { unread_msgs } = state;
  const isMuted = mutedTopicTest(state);
  const byChannel = new Map<number, number>();
  const byTopic = new Map<string, number>();
  const byConversation = new Map<string, number>();
  for (const { stream_id, topic, unread_message_ids } of unread_msgs?.streams ?? []) {
    const count = unread_message_ids.length;
    if (!isMuted(stream_id, topic))
      byChannel.set(stream_id, (byChannel.get(stream_id) ?? 0) + count);
    byTopic.set(topicKey(stream_id, topic), count);
  }
  for (const { other_user_id, unread_message_ids } of unread_msgs?.pms ?? [])
    byConversation.set(String(other_user_id), unread_message_ids.length);
  for (const { user_ids_string, unread_message_ids } of unread_msgs?.huddles ?? []) {
    const others = user_ids_string.split(',').filter((id) => Number(id) !== self);
    byConversation.set(others.join(','), unread_message_ids.length);
  }
  const all = [...byChannel.values(), ...byConversation.values()];
  const counts = {
    byChannel,
    byTopic,
    byConversation,
    mentions: unread_msgs?.mentions.length ?? 0,
    total: all.reduce((sum, count) => sum + count, 0),
  };
  return { ...counts, of: (view) => countOf(view, counts) };
}

function countOf(view: View, counts: Omit<Unread, 'of'>): number {
  switch (view.kind) {
    case 'all':
      return counts.total;
    case 'mentions':
      return counts.mentions;
    case 'channel':
      // Muted topics too: they can be marked as read.
      return [...counts.byTopic].reduce(
        (sum, [key, count]) => (key.startsWith(`${view.channel} `) ? sum + count : sum),
        0,
      );
    case 'topic':
      return counts.byTopic.get(topicKey(view.channel, view.topic)) ?? 0;
    case 'direct':
      return counts.byConversation.get(view.users.toSorted((a, b) => a - b).join(',')) ?? 0;
    default:
      return 0;
  }
}
