import { ApiError, badRequest, type Reaction } from '@bellhop/protocol';

import type { Call, Resource } from '../call.ts';
import { emojiCodes } from '../emoji-codes.ts';
import { audienceOf, readable, type StoredMessage } from '../stored-message.ts';

type Emoji = Pick<Reaction, 'emoji_code' | 'reaction_type'>;

export const reactions: Resource<'reactions'> = {
  add(call) {
    const { params, user, world } = call;
    const message = readable(world, params.message_id, user);
    const emoji = emojiOf(params);
    const existing = message.reactions.find((one) => isSame(one, emoji));
    if (!existing && emojiNamed(params.emoji_name)?.emoji_code !== emoji.emoji_code)
      throw badRequest('Invalid emoji name');
    const { user_id } = user;
    if (message.reactions.some((one) => isSame(one, emoji) && one.user_id === user_id))
      throw new ApiError('REACTION_ALREADY_EXISTS');
    const emoji_name = existing?.emoji_name ?? params.emoji_name;
    const reaction: Reaction = { emoji_name, ...emoji, user_id };
    message.reactions.push(reaction);
    publish(call, message, { op: 'add', ...reaction });
    return {};
  },

  remove(call) {
    const { params, user, world } = call;
    const message = readable(world, params.message_id, user);
    const emoji = emojiOf(params);
    const { user_id } = user;
    const at = message.reactions.findIndex((one) => isSame(one, emoji) && one.user_id === user_id);
    const [reaction] = at === -1 ? [] : message.reactions.splice(at, 1);
    if (!reaction) throw new ApiError('REACTION_DOES_NOT_EXIST');
    publish(call, message, { op: 'remove', ...reaction });
    return {};
  },
};

const isSame = (one: Emoji, other: Emoji) =>
  one.emoji_code === other.emoji_code && one.reaction_type === other.reaction_type;

function emojiNamed(name: string): Emoji | undefined {
  const emoji_code = emojiCodes.get(name);
  if (emoji_code !== undefined) return { emoji_code, reaction_type: 'unicode_emoji' };
  return name === 'zulip' ? { emoji_code: name, reaction_type: 'svc_extra_emoji' } : undefined;
}

interface ReactionRequest {
  readonly emoji_name?: string | undefined;
  readonly emoji_code?: string | undefined;
  readonly reaction_type?: Reaction['reaction_type'] | undefined;
}

function emojiOf({ emoji_name, emoji_code, reaction_type }: ReactionRequest): Emoji {
  if (emoji_name === undefined && emoji_code === undefined)
    throw badRequest('At least one of emoji_name and emoji_code must be present');
  const found = emoji_name === undefined ? undefined : emojiNamed(emoji_name);
  const code = emoji_code ?? found?.emoji_code;
  if (code === undefined)
    throw badRequest(`Emoji '${emoji_name}' does not exist, or the fake server does not know it`);
  return {
    emoji_code: code,
    reaction_type: reaction_type ?? found?.reaction_type ?? 'unicode_emoji',
  };
}

function publish(
  { user, world }: Call<unknown>,
  message: StoredMessage,
  event: Reaction & { readonly op: 'add' | 'remove' },
): void {
  const { user_id, email, full_name } = user;
  world.queues.publish({
    type: 'reaction',
    ...audienceOf(message),
    show: () => ({ ...event, message_id: message.id, user: { user_id, email, full_name } }),
  });
  const { op, emoji_name, emoji_code } = event;
  world.onChange({ message, user, kind: 'reaction', details: { op, emoji_name, emoji_code } });
}
