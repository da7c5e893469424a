import { badRequest, type Reaction } from '@bellhop/protocol';

import { emojiCodes, emojiNames } from '../../emoji/emoji-table.ts';

export type Emoji = Pick<Reaction, 'emoji_code' | 'reaction_type'>;

/** Built in beside Unicode's: the one that clients of the protocol know. The code is the name. */
const EXTRA = 'zulip';

/** The emoji of this name; undefined if none has it. */
export function emojiNamed(name: string): Emoji | undefined {
  const code = emojiCodes.get(name);
  if (code !== undefined) return { emoji_code: code, reaction_type: 'unicode_emoji' };
  return name === EXTRA ? { emoji_code: EXTRA, reaction_type: 'svc_extra_emoji' } : undefined;
}

/** Whether there is such an emoji. No realm has any of its own. */
export const exists = ({ emoji_code, reaction_type }: Emoji): boolean =>
  (reaction_type === 'unicode_emoji' && emojiNames.has(emoji_code)) ||
  (reaction_type === 'svc_extra_emoji' && emoji_code === EXTRA);

/** Throws BAD_REQUEST for an emoji that is none, or is not called that. */
export function checkEmoji(name: string, emoji: Emoji): void {
  if (emoji.reaction_type === 'realm_emoji') throw badRequest('Invalid custom emoji.');
  if (!exists(emoji)) throw badRequest('Invalid emoji code');
  const named = emojiNamed(name);
  if (named?.emoji_code !== emoji.emoji_code) throw badRequest('Invalid emoji name');
}

interface Asked {
  readonly emoji_name?: string | undefined;
  readonly emoji_code?: string | undefined;
  readonly reaction_type?: Reaction['reaction_type'] | undefined;
}

/** The emoji a request means: what it leaves out is found by the name. Throws BAD_REQUEST. */
export function emojiOf({ emoji_name, emoji_code, reaction_type }: Asked): Emoji {
  if (emoji_name === undefined && emoji_code === undefined)
    throw badRequest('At least one of emoji_name and emoji_code must be present');
  const named = emoji_name === undefined ? undefined : emojiNamed(emoji_name);
  const code = emoji_code ?? named?.emoji_code;
  if (code === undefined) throw badRequest(`Emoji '${emoji_name}' does not exist`);
  const type = reaction_type ?? named?.reaction_type ?? 'unicode_emoji';
  return { emoji_code: code, reaction_type: type };
}
