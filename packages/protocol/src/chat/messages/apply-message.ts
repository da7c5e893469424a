import type { z } from 'zod';

import type { UserId } from '../../values/ids.ts';
import type { StateOwner } from '../../wire/event.ts';
import { changed } from '../changed.ts';
import { mapChannels } from '../channels/channel-lists.ts';
import type { ChannelState } from '../channels/channel-state.ts';
import { type MuteState, mutedTopicTest } from './is-muted-topic.ts';
import type { MessageEvent } from './message-events.ts';
import type { MessageState } from './message-state.ts';
import type { Message } from './message.ts';
import { type UnreadConversation, withMention, withUnread } from './unread-rows.ts';

type State = MessageState & ChannelState & Pick<MuteState, 'user_topics'>;

/**
 * Applies a `message` event to `max_message_id`, the unread messages and the recent conversations.
 */
export function applyMessage(
  state: State,
  { message, flags }: z.output<typeof MessageEvent>,
  { user_id: self }: StateOwner,
): State {
  let next = changed(state, 'max_message_id', (id) => (id > message.id ? id : message.id));
  if (!flags.includes('read'))
    next = changed(next, 'unread_msgs', (unread) =>
      withMention(
        withUnread(unread, { ids: [message.id], self, at: conversationOf(message, self) }),
        message.id,
        { flags, isMuted: isMutedFor(state, message) },
      ),
    );
  if (message.stream_id !== undefined)
    return mapChannels(next, message.stream_id, (channel) =>
      channel.first_message_id === null ? { ...channel, first_message_id: message.id } : channel,
    );
  const user_ids = othersIn(message, self);
  const conversation = user_ids.join();
  return changed(next, 'recent_private_conversations', (recent) => [
    { user_ids, max_message_id: message.id },
    ...recent.filter((other) => other.user_ids.join() !== conversation),
  ]);
}

const isMutedFor = (state: State, { stream_id, subject }: Message): boolean =>
  stream_id !== undefined && mutedTopicTest(state)(stream_id, subject);

const conversationOf = (message: Message, self: UserId): UnreadConversation =>
  message.stream_id === undefined
    ? { others: othersIn(message, self) }
    : { stream_id: message.stream_id, topic: message.subject };

const othersIn = ({ display_recipient }: Message, self: UserId): UserId[] =>
  typeof display_recipient === 'string'
    ? []
    : display_recipient
        .map(({ id }) => id)
        .filter((id) => id !== self)
        .sort((a, b) => a - b);
