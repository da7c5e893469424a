import { z } from 'zod';

import { EmojiCode, EmojiName } from '../values/fields.ts';
import { UserId } from '../values/ids.ts';
import { MAX_NAME_LENGTH, MAX_WORD_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import { resource, section, type StateOf } from '../wire/resource.ts';
import { changed } from './changed.ts';
import { Reaction } from './messages/message.ts';
import { ReactionType } from './reactions.ts';

export const MAX_STATUS_LENGTH = 60;

/** The status that a user has set. A part that is not set is absent. */
const UserStatus = z
  .object({
    away: z.boolean().optional(),
    status_text: z.string().optional(),
    emoji_name: EmojiName.optional(),
    emoji_code: EmojiCode.optional(),
    reaction_type: Reaction.shape.reaction_type.optional(),
  })
  .meta({ id: 'UserStatus' });
export type UserStatus = z.output<typeof UserStatus>;

/** A user changed their status: the changed fields. An empty text or emoji removes it. */
export const UserStatusEvent = z.object({
  type: z.literal('user_status'),
  user_id: UserId,
  ...UserStatus.shape,
});

const state = {
  user_status: section({
    user_status: z.record(z.string(), UserStatus).meta({
      description: 'By user ID. Users without a status are absent',
    }),
  }),
};

/** Without the fields that are empty or false. */
export function shownStatus(status: UserStatus): UserStatus {
  const { away, status_text, emoji_name, emoji_code, reaction_type } = status;
  return {
    ...(away ? { away } : {}),
    ...(status_text ? { status_text } : {}),
    ...(emoji_name ? { emoji_name, emoji_code, reaction_type } : {}),
  };
}

const applyUserStatus = (
  known: StateOf<typeof state>,
  { type: _type, user_id, ...fields }: z.output<typeof UserStatusEvent>,
): StateOf<typeof state> =>
  changed(known, 'user_status', ({ [user_id]: old, ...others }) => {
    const status = shownStatus({ ...old, ...fields });
    return Object.keys(status).length === 0 ? others : { ...others, [user_id]: status };
  });

/** Clients that remove the emoji send each of its fields empty. */
const StatusReactionType = z
  .union([ReactionType, z.literal('').transform(() => undefined)])
  .optional()
  .meta({ description: 'Looked up by emoji_name if omitted or empty' });

const params = {
  status_text: z
    .string()
    .max(MAX_NAME_LENGTH)
    .optional()
    .meta({ description: `At most ${MAX_STATUS_LENGTH} characters; empty removes it` }),
  away: z.boolean().optional().meta({ description: 'Older clients show the user as away' }),
  emoji_name: EmojiName.max(MAX_WORD_LENGTH).optional().meta({ description: 'Empty removes it' }),
  emoji_code: EmojiCode.max(MAX_WORD_LENGTH).optional(),
  reaction_type: StatusReactionType,
};

export const userStatus = resource({
  endpoints: {
    set: endpoint('POST /users/me/status', {
      summary: 'Set your own status',
      access: 'human',
      params,
      emits: [UserStatusEvent],
    }),

    setOf: endpoint('POST /users/{user_id}/status', {
      summary: 'Set the status of another user',
      access: 'admin',
      since: 407,
      params: { user_id: UserId, ...params },
      emits: [UserStatusEvent],
    }),

    get: endpoint('GET /users/{user_id}/status', {
      summary: 'Get the status of a user',
      access: 'user',
      params: { user_id: UserId },
      result: { status: UserStatus },
    }),
  },
  events: [event(UserStatusEvent, applyUserStatus)],
  state,
});
