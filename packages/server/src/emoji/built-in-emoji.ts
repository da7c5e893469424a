import type { Reaction } from '@bellhop/protocol';

import { emojiCodes, emojiNames, isEmojiName } from './emoji-table.ts';

export type Emoji = Pick<Reaction, 'emoji_code' | 'reaction_type'>;

/** The extra emoji that clients of the protocol know beside Unicode's. Its code is its name. */
export const EXTRA_EMOJI = 'zulip';
/** The path at which clients look for the image of the extra emoji. */
export const EXTRA_EMOJI_PATH = '/static/generated/emoji/images/emoji/unicode/zulip.png';

/** The emoji with this name that every realm has. */
export function builtInEmoji(name: string): Emoji | undefined {
  const code = emojiCodes().get(name);
  if (code !== undefined) return { emoji_code: code, reaction_type: 'unicode_emoji' };
  return name === EXTRA_EMOJI
    ? { emoji_code: EXTRA_EMOJI, reaction_type: 'svc_extra_emoji' }
    : undefined;
}

export const isBuiltInName = (name: string): boolean => builtInEmoji(name) !== undefined;

/** Whether every realm has this emoji. */
export const isBuiltIn = ({ emoji_code, reaction_type }: Emoji): boolean =>
  (reaction_type === 'unicode_emoji' && emojiNames().has(emoji_code)) ||
  (reaction_type === 'svc_extra_emoji' && emoji_code === EXTRA_EMOJI);

/** Whether an emoji that every realm has may be sent with this name. */
export const mayHaveName = ({ emoji_code, reaction_type }: Emoji, name: string): boolean =>
  reaction_type === 'unicode_emoji' ? isEmojiName(name, emoji_code) : name === EXTRA_EMOJI;
