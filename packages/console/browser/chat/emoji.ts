import type { InitialState, Reaction } from '@bellhop/protocol';
import { signal } from '@preact/signals';

export interface Emoji {
  readonly name: string;
  readonly code: string;
  readonly type: Reaction['reaction_type'];
  /** The character; empty for an emoji that is an image. */
  readonly text: string;
}

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

/** All emoji that may be used in an organization: its own first. */
export const allEmoji = ({ realm_emoji }: InitialState): readonly Emoji[] => [
  ...Object.values(realm_emoji ?? {})
    .filter(({ deactivated }) => !deactivated)
    .map(({ id, name }) => ({ name, code: id, type: 'realm_emoji' as const, text: '' })),
  ...unicode.value,
];

/** The emoji whose name contains a text, those that begin with it first. */
export function findEmoji(all: readonly Emoji[], text: string, count: number): readonly Emoji[] {
  const needle = text.toLowerCase();
  const found = all.filter(({ name }) => name.includes(needle));
  const rank = ({ name }: Emoji) => (name === needle ? 0 : name.startsWith(needle) ? 1 : 2);
  return found
    .toSorted((a, b) => rank(a) - rank(b) || a.name.length - b.name.length)
    .slice(0, count);
}

/** The first emoji in the picker. */
export const usualNames = ['+1', 'heart', 'tada', 'smile', 'eyes', 'check', 'rocket', 'thinking'];
