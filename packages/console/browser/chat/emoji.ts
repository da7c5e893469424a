import { type InitialState, type RealmEmoji, type Reaction, wordKey } from '@bellhop/protocol';
import { signal } from '@preact/signals';

export interface Emoji {
  readonly name: string;
  readonly code: string;
  readonly type: Reaction['reaction_type'];
  /** The character; empty for an emoji that is an image. */
  readonly text: string;
  readonly image?: EmojiImage;
}
/** Paths of an image. `still_url` is null unless it moves. */
export type EmojiImage = Pick<RealmEmoji, 'source_url' | 'still_url'>;

/** The emoji of Unicode, by their first name. Empty until they have been loaded. */
const unicode = signal<readonly Emoji[]>([]);
let loading: Promise<void> | undefined;

/** Loads the names of emoji, once. */
export const loadEmoji = ({ server_emoji_data_url }: InitialState): Promise<void> =>
  (loading ??= load(server_emoji_data_url ?? '/api/emoji.json').catch(() => {
    loading = undefined;
  }));

async function load(url: string): Promise<void> {
  const { pathname } = new URL(url, location.origin);
  const answer = await fetch(pathname);
  const { code_to_names } = (await answer.json()) as { code_to_names: Record<string, string[]> };
  unicode.value = Object.entries(code_to_names).flatMap(([code, names]) =>
    names.map((name) => ({ name, code, type: 'unicode_emoji' as const, text: charOf(code) })),
  );
}

/** The characters of code points in hex, joined by dashes. */
export const charOf = (code: string): string =>
  code
    .split('-')
    .map((point) => String.fromCodePoint(Number.parseInt(point, 16)))
    .join('');

/** The custom emoji of an organization that may be used. */
export const customEmoji = ({ realm_emoji }: InitialState): readonly Emoji[] =>
  Object.values(realm_emoji ?? {})
    .filter(({ deactivated }) => !deactivated)
    .map((image) => ({ name: image.name, code: image.id, type: 'realm_emoji', text: '', image }));

/** All emoji that may be used in an organization: its own first, in place of others of the same name. */
export function allEmoji(state: InitialState): readonly Emoji[] {
  const own = customEmoji(state);
  const taken = new Set(own.map(({ name }) => name));
  return [...own, ...unicode.value.filter(({ name }) => !taken.has(name))];
}

/** The image of an emoji, also of a deactivated one; undefined for an emoji of Unicode. */
export function imageOf(
  { realm_emoji }: InitialState,
  { reaction_type, emoji_code }: Pick<Reaction, 'reaction_type' | 'emoji_code'>,
): EmojiImage | undefined {
  if (reaction_type === 'realm_emoji') return realm_emoji?.[emoji_code];
  if (reaction_type === 'unicode_emoji') return undefined;
  const source_url = `/static/generated/emoji/images/emoji/unicode/${emoji_code}.png`;
  return { source_url, still_url: null };
}

/** The emoji whose name contains a text, those that begin with it first, and of them the custom ones. */
export function findEmoji(all: readonly Emoji[], text: string, count: number): readonly Emoji[] {
  const needle = wordKey(text);
  const found = all.filter(({ name }) => name.includes(needle));
  const rank = ({ name }: Emoji) => (name === needle ? 0 : name.startsWith(needle) ? 1 : 2);
  return found
    .toSorted(
      (a, b) => rank(a) - rank(b) || isUnicode(a) - isUnicode(b) || a.name.length - b.name.length,
    )
    .slice(0, count);
}

const isUnicode = ({ type }: Emoji) => Number(type === 'unicode_emoji');

/** The first emoji in the picker. */
export const usualNames = ['+1', 'heart', 'tada', 'smile', 'eyes', 'check', 'rocket', 'thinking'];
