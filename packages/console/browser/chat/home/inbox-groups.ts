import { type InitialState, mutedTopicTest } from '@bellhop/protocol';

import { directConversations } from '../direct-conversations.ts';
import { listedChannels } from '../listed-channels.ts';
import { topicName } from '../names.ts';
import { countUnread } from '../unread.ts';
import type { View } from '../view.ts';

/** A conversation with unread messages. */
export interface InboxRow {
  readonly view: View;
  readonly name: string;
  readonly count: number;
}
/** Direct messages, or the topics of a channel. */
export interface InboxGroup {
  readonly name: string;
  /** The folder of the channel, where folders are shown. */
  readonly folder: string | undefined;
  readonly view: View | undefined;
  readonly rows: readonly InboxRow[];
}

/** The conversations with unread messages: of people first, then of channels, without muted ones. */
export function inboxGroups(state: InitialState, self: number): readonly InboxGroup[] {
  const { byConversation } = countUnread(state, self);
  const isMuted = mutedTopicTest(state);
  const people = directConversations(state, self).map(({ users, name }) => ({
    view: { kind: 'direct', users } as const,
    name,
    count: byConversation.get(users.join(',')) ?? 0,
  }));
  const topics = (state.unread_msgs?.streams ?? [])
    .filter(({ stream_id, topic }) => !isMuted(stream_id, topic))
    .toSorted((a, b) => newestOf(b) - newestOf(a));
  const channels = listedChannels(state, 'web_inbox_show_channel_folders').flatMap((group) =>
    group.channels.map(({ stream_id, name }): InboxGroup => ({
      name: `#${name}`,
      folder: group.title,
      view: { kind: 'channel', channel: stream_id },
      rows: topics
        .filter((one) => one.stream_id === stream_id)
        .map(({ topic, unread_message_ids }) => ({
          view: { kind: 'topic', channel: stream_id, topic },
          name: topicName(topic),
          count: unread_message_ids.length,
        })),
    })),
  );
  const direct: InboxGroup = {
    name: 'Direct messages',
    folder: undefined,
    view: undefined,
    rows: people.filter(({ count }) => count > 0),
  };
  return [direct, ...channels].filter(({ rows }) => rows.length > 0);
}

const newestOf = ({ unread_message_ids: ids }: { unread_message_ids: readonly number[] }) =>
  ids.at(-1) ?? 0;
