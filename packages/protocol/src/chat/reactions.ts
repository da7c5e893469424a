import { z } from 'zod';

import { Email, EmojiCode, EmojiName, FullName } from '../values/fields.ts';
import { MessageId, UserId } from '../values/ids.ts';
import { MAX_WORD_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { event, type StateOwner } from '../wire/event.ts';
import { resource } from '../wire/resource.ts';
import { changed } from './changed.ts';
import type { MessageState } from './messages/message-state.ts';
import { Reaction } from './messages/message.ts';
import { UserTopicEvent } from './user-topics.ts';

/** A type of emoji as clients send it. */
export const ReactionType = Reaction.shape.reaction_type.meta({
  description: 'Looked up by emoji_name if omitted',
});

const message_id = MessageId;
const emoji_name = EmojiName.max(MAX_WORD_LENGTH);
const emoji_code = EmojiCode.max(MAX_WORD_LENGTH).optional().meta({
  description: 'Hexadecimal code points joined by dashes. Looked up by emoji_name if omitted',
});
const reaction_type = ReactionType.optional();

/** A user added or removed a reaction. Older clients read `user`. */
export const ReactionEvent = z.object({
  type: z.literal('reaction'),
  op: z.enum(['add', 'remove']),
  message_id: MessageId,
  ...Reaction.shape,
  user: z.object({ user_id: UserId, email: Email, full_name: FullName }),
});

/**
 * A reaction of the owner of the state adds the message to their history, even if they had not
 * received it.
 */
const applyReaction = (
  state: MessageState,
  { message_id, user_id }: z.output<typeof ReactionEvent>,
  owner: StateOwner,
): MessageState =>
  user_id === owner.user_id
    ? changed(state, 'max_message_id', (id) => (id > message_id ? id : message_id))
    : state;

const endpoints = {
  add: endpoint('POST /messages/{message_id}/reactions', {
    summary: 'Add an emoji reaction',
    description: 'If the message already has this emoji under another name, that name is kept.',
    access: 'user',
    params: { message_id, emoji_name, emoji_code, reaction_type },
    errors: ['REACTION_ALREADY_EXISTS'],
    emits: [ReactionEvent, UserTopicEvent],
  }),

  remove: endpoint('DELETE /messages/{message_id}/reactions', {
    summary: 'Remove an emoji reaction',
    description: 'Requires `emoji_name` or `emoji_code`.',
    access: 'user',
    params: { message_id, emoji_name: emoji_name.optional(), emoji_code, reaction_type },
    errors: ['REACTION_DOES_NOT_EXIST'],
    emits: [ReactionEvent],
  }),
};

export const reactions = resource({ endpoints, events: [event(ReactionEvent, applyReaction)] });
