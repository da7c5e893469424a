import type { z } from 'zod';

import { MessageId, type UserId } from '../../values/ids.ts';
import type { StateOwner } from '../../wire/event.ts';
import { changed } from '../changed.ts';
import type { UnreadDetails, UpdateMessageFlagsEvent } from './message-flags.ts';
import type { MessageState, UnreadMessages } from './message-state.ts';
import { type UnreadConversation, withoutUnread, withUnread } from './unread-rows.ts';

/**
 * Applies a changed flag to the unread and the starred messages, and to `max_message_id`: the flag adds a
 * message to the history of its owner, even if they had not received it.
 */
export function applyUpdateMessageFlags(
  before: MessageState,
  { flag, op, messages, message_details = {} }: z.output<typeof UpdateMessageFlagsEvent>,
  { user_id: self }: StateOwner,
): MessageState {
  const ids = new Set(messages);
  const state = changed(before, 'max_message_id', (newest) =>
    messages.reduce((known, id) => (known > id ? known : id), newest),
  );
  if (flag === 'starred')
    return changed(state, 'starred_messages', (starred) => {
      const others = starred.filter((id) => !ids.has(id));
      return op === 'add' ? [...others, ...ids].sort((a, b) => a - b) : others;
    });
  if (flag !== 'read') return state;
  return changed(state, 'unread_msgs', (unread) => {
    const others = withoutUnread(unread, ids);
    return op === 'add' ? others : withDetails(others, message_details, self);
  });
}

function withDetails(
  unread: UnreadMessages,
  message_details: Readonly<Record<string, UnreadDetails>>,
  self: UserId,
): UnreadMessages {
  const conversations = new Map<string, { at: UnreadConversation; ids: MessageId[] }>();
  const mentions = [...unread.mentions];
  for (const [key, details] of Object.entries(message_details)) {
    const id = MessageId.parse(Number(key));
    if (details.mentioned) mentions.push(id);
    const at = conversationOf(details);
    const known = conversations.get(JSON.stringify(at));
    if (known) known.ids.push(id);
    else conversations.set(JSON.stringify(at), { at, ids: [id] });
  }
  return [...conversations.values()].reduce(
    (before, { at, ids }) => withUnread(before, { at, ids, self }),
    { ...unread, mentions: mentions.sort((a, b) => a - b) },
  );
}

const conversationOf = (details: UnreadDetails): UnreadConversation =>
  details.type === 'private'
    ? { others: details.user_ids }
    : { stream_id: details.stream_id, topic: details.topic };
