import { type InitialState, mutedTopicTest } from '@bellhop/protocol';

import type { View } from './view.ts';

interface UnreadConversation {
  readonly view: View;
  readonly count: number;
}

type State = Pick<InitialState, 'unread_msgs' | 'subscriptions' | 'user_topics'>;

/** The conversations with unread messages, the one with the newest first. Without muted topics. */
export function unreadConversations(state: State, self: number): readonly UnreadConversation[] {
  const { streams = [], pms = [], huddles = [] } = state.unread_msgs ?? {};
  const isMuted = mutedTopicTest(state);
  const found = [
    ...streams
      .filter(({ stream_id, topic }) => !isMuted(stream_id, topic))
      .map(({ stream_id: channel, topic, unread_message_ids: ids }) => ({
        view: { kind: 'topic', channel, topic } as const,
        ids,
      })),
    ...pms.map(({ other_user_id, unread_message_ids: ids }) => ({
      view: { kind: 'direct', users: [other_user_id] } as const,
      ids,
    })),
    ...huddles.map(({ user_ids_string, unread_message_ids: ids }) => {
      const users = user_ids_string.split(',').map(Number);
      return { view: { kind: 'direct', users: users.filter((id) => id !== self) } as const, ids };
    }),
  ];
  return found
    .toSorted((a, b) => Math.max(...b.ids) - Math.max(...a.ids))
    .map(({ view, ids }) => ({ view, count: ids.length }));
}
