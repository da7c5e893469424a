import type { z } from 'zod';

import { changed } from '../changed.ts';
import { mapChannels } from '../channels/channel-lists.ts';
import type { ChannelState } from '../channels/channel-state.ts';
import type { StateOwner } from '../event.ts';
import type { UserId } from '../ids.ts';
import type { MessageEvent } from './message-events.ts';
import type { MessageState, UnreadMessages } from './message-state.ts';
import type { Message } from './message.ts';
import { withMention, withUnreadIds } from './unread-rows.ts';

type State = MessageState & ChannelState;

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
      withMention(withUnread(unread, message, self), message.id, flags),
    );
  if (message.stream_id !== undefined)
    return mapChannels(next, message.stream_id, (channel) =>
      channel.first_message_id === null ? { ...channel, first_message_id: message.id } : channel,
    );
  const user_ids = participants(message).filter((id) => id !== self);
  const conversation = user_ids.join();
  return changed(next, 'recent_private_conversations', (recent) => [
    { user_ids, max_message_id: message.id },
    ...recent.filter((other) => other.user_ids.join() !== conversation),
  ]);
}

const participants = ({ display_recipient }: Message): UserId[] =>
  typeof display_recipient === 'string'
    ? []
    : display_recipient.map(({ id }) => id).sort((a, b) => a - b);

function withUnread(unread: UnreadMessages, message: Message, self: UserId): UnreadMessages {
  const counted = { ...unread, count: unread.count + 1 };
  const people = participants(message);
  if (message.stream_id !== undefined) {
    const fresh = { stream_id: message.stream_id, topic: message.subject };
    return { ...counted, streams: withUnreadIds(unread.streams, fresh, [message.id]) };
  }
  if (people.length > 2) {
    const fresh = { user_ids_string: people.join() };
    return { ...counted, huddles: withUnreadIds(unread.huddles, fresh, [message.id]) };
  }
  const other_user_id = people.find((id) => id !== self) ?? self;
  const fresh = { other_user_id, sender_id: other_user_id };
  return { ...counted, pms: withUnreadIds(unread.pms, fresh, [message.id]) };
}
