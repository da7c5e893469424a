import { badRequest, type Reaction, type RealmId } from '@bellhop/protocol';

import { builtInEmoji, type Emoji, isBuiltIn, mayHaveName } from '../../emoji/built-in-emoji.ts';
import { canonicalCode } from '../../emoji/emoji-table.ts';
import type { Db } from '../../engine/call.ts';
import * as realmEmoji from '../realm-emoji/queries.ts';

interface ReactionRequest {
  readonly emoji_name?: string | undefined;
  readonly emoji_code?: string | undefined;
  readonly reaction_type?: Reaction['reaction_type'] | undefined;
}

/** The emoji of a request; a missing code or type is looked up by the name. Throws BAD_REQUEST. */
export async function findEmoji(db: Db, realm: RealmId, request: ReactionRequest): Promise<Emoji> {
  const { emoji_name, emoji_code, reaction_type = 'realm_emoji' } = request;
  const mayBeCustom = emoji_name !== undefined && reaction_type === 'realm_emoji';
  if (!mayBeCustom || (emoji_code !== undefined && request.reaction_type !== undefined))
    return emojiOf(request);
  return emojiOf(request, (await realmEmoji.activeNamed(db, realm, emoji_name))?.id);
}

/** The same, given the ID of the custom emoji with the name of the request. */
export function emojiOf(
  { emoji_name, emoji_code, reaction_type }: ReactionRequest,
  customId?: number,
): Emoji {
  if (emoji_name === undefined && emoji_code === undefined)
    throw badRequest('At least one of emoji_name and emoji_code must be present');
  const named =
    customId === undefined
      ? builtInEmoji(emoji_name ?? '')
      : { emoji_code: String(customId), reaction_type: 'realm_emoji' as const };
  const code = emoji_code ?? named?.emoji_code;
  if (code === undefined) throw badRequest(`Emoji '${emoji_name}' does not exist`);
  // A client that sends the code of a Unicode emoji does not mean the custom one of the same name.
  const namedType = named?.emoji_code === code ? named.reaction_type : undefined;
  const type = reaction_type ?? namedType ?? 'unicode_emoji';
  return { emoji_code: codeOf(type, code), reaction_type: type };
}

/**
 * The emoji of the one among the user's own reactions that has the code of a request, or else its name:
 * the emoji may be deactivated, and its name may stand for another one now. If none or several do, as
 * `findEmoji`.
 */
export async function findOwnEmoji(
  db: Db,
  realm: RealmId,
  { own, request }: { readonly own: readonly Reaction[]; readonly request: ReactionRequest },
): Promise<Emoji> {
  const [only, ...others] = own.filter((reaction) => isNamed(reaction, request));
  return only && others.length === 0 ? only : findEmoji(db, realm, request);
}

function isNamed(reaction: Reaction, { emoji_name, emoji_code, ...request }: ReactionRequest) {
  const { reaction_type: type } = reaction;
  if (request.reaction_type !== undefined && request.reaction_type !== type) return false;
  if (emoji_code === undefined) return reaction.emoji_name === emoji_name;
  return reaction.emoji_code === codeOf(type, emoji_code);
}

const codeOf = (type: Reaction['reaction_type'], code: string): string =>
  type === 'unicode_emoji' ? canonicalCode(code) : code;

/** Throws BAD_REQUEST if the emoji does not exist, is deactivated or has another name. */
export async function requireUsableEmoji(
  db: Db,
  realm: RealmId,
  { name, emoji }: { readonly name: string; readonly emoji: Emoji },
): Promise<void> {
  if (emoji.reaction_type !== 'realm_emoji') return requireBuiltIn(name, emoji);
  const custom = await customEmoji(db, realm, emoji);
  if (!custom) throw badRequest('Invalid custom emoji.');
  if (custom.name !== name) throw badRequest('Invalid custom emoji name.');
  if (!custom.is_active) throw badRequest('This custom emoji has been deactivated.');
}

/** Throws BAD_REQUEST unless every realm has this emoji under this name. */
export function requireBuiltIn(name: string, emoji: Emoji): void {
  if (!isBuiltIn(emoji)) throw badRequest('Invalid emoji code');
  if (!mayHaveName(emoji, name)) throw badRequest('Invalid emoji name');
}

/**
 * Whether the emoji of a request exists: of any type if the request gives none. A deactivated custom
 * emoji does.
 */
export const exists = async (
  db: Db,
  realm: RealmId,
  { emoji, request }: { readonly emoji: Emoji; readonly request: ReactionRequest },
): Promise<boolean> =>
  isBuiltIn(emoji) ||
  ((request.reaction_type ?? 'realm_emoji') === 'realm_emoji' &&
    (await customEmoji(db, realm, emoji)) !== undefined);

const customEmoji = async (db: Db, realm: RealmId, { emoji_code }: Emoji) =>
  /^[1-9]\d{0,14}$/.test(emoji_code) ? realmEmoji.byId(db, realm, Number(emoji_code)) : undefined;
