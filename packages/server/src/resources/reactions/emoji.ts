import { badRequest, type Reaction } from '@bellhop/protocol';

import { canonicalCode, emojiCodes, emojiNames, isEmojiName } from '../../emoji/emoji-table.ts';

export type Emoji = Pick<Reaction, 'emoji_code' | 'reaction_type'>;

/** The extra emoji that clients of the protocol know beside Unicode's. Its code is its name. */
const EXTRA = 'zulip';

/** The emoji with this name; undefined if there is none. */
export function emojiNamed(name: string): Emoji | undefined {
  const code = emojiCodes.get(name);
  if (code !== undefined) return { emoji_code: code, reaction_type: 'unicode_emoji' };
  return name === EXTRA ? { emoji_code: EXTRA, reaction_type: 'svc_extra_emoji' } : undefined;
}

/** Whether an emoji exists. Realms have no custom emoji yet. */
export const exists = ({ emoji_code, reaction_type }: Emoji): boolean =>
  (reaction_type === 'unicode_emoji' && emojiNames.has(emoji_code)) ||
  (reaction_type === 'svc_extra_emoji' && emoji_code === EXTRA);

/** Throws BAD_REQUEST if the emoji does not exist or has another name. */
export function checkEmoji(name: string, emoji: Emoji): void {
  if (emoji.reaction_type === 'realm_emoji') throw badRequest('Invalid custom emoji.');
  if (!exists(emoji)) throw badRequest('Invalid emoji code');
  const isName =
    emoji.reaction_type === 'unicode_emoji' ? isEmojiName(name, emoji.emoji_code) : name === EXTRA;
  if (!isName) throw badRequest('Invalid emoji name');
}

interface ReactionRequest {
  readonly emoji_name?: string | undefined;
  readonly emoji_code?: string | undefined;
  readonly reaction_type?: Reaction['reaction_type'] | undefined;
}

/** The emoji of a request; a missing code or type is looked up by the name. Throws BAD_REQUEST. */
export function emojiOf({ emoji_name, emoji_code, reaction_type }: ReactionRequest): Emoji {
  if (emoji_name === undefined && emoji_code === undefined)
    throw badRequest('At least one of emoji_name and emoji_code must be present');
  const named = emoji_name === undefined ? undefined : emojiNamed(emoji_name);
  const code = emoji_code ?? named?.emoji_code;
  if (code === undefined) throw badRequest(`Emoji '${emoji_name}' does not exist`);
  const type = reaction_type ?? named?.reaction_type ?? 'unicode_emoji';
  return { emoji_code: type === 'unicode_emoji' ? canonicalCode(code) : code, reaction_type: type };
}
