import { gemoji } from 'gemoji';
import unicodeEmoji from 'unicode-emoji-json/data-by-emoji.json' with { type: 'json' };

import clientNames from './client-names.json' with { type: 'json' };

const withoutSelectors = (code: string): string => code.replaceAll('-fe0f', '');

/** The codes that contain variation selectors in clients, by the same code without them. */
const codesWithSelectors = new Map(
  Object.keys(clientNames)
    .filter((code) => code.includes('-fe0f'))
    .map((code) => [withoutSelectors(code), code]),
);

/** The code that clients use for an emoji, given its code with or without variation selectors. */
export function canonicalCode(code: string): string {
  const plain = withoutSelectors(code);
  return codesWithSelectors.get(plain) ?? plain;
}

/**
 * The API code of an emoji: hex code points joined by dashes. It has variation selectors only in the
 * ten joined emoji for which clients send them.
 */
export const emojiCode = (characters: string): string =>
  canonicalCode(
    Array.from(characters, (character) =>
      (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0'),
    ).join('-'),
  );

/** Names that no other source has for these emoji. */
const ownNames: Readonly<Record<string, readonly string[]>> = {
  '1f642': ['slight_smile'],
  '1f637': ['cant_talk'],
  '1f617': ['kiss'],
  '1f61d': ['stuck_out_tongue'],
  '1f4cc': ['pin'],
};

/** Codes with names in order of precedence: a name that is in several belongs to the first. */
const sources: (readonly [code: string, names: readonly string[]])[] = [
  ...Object.entries(clientNames),
  ...Object.entries(ownNames),
  ...Object.entries(unicodeEmoji).map(([emoji, { slug }]) => [emojiCode(emoji), [slug]] as const),
  ...gemoji.map(({ emoji, names }) => [emojiCode(emoji), names] as const),
];

const codes = new Map<string, string>();
const accepted = new Map<string, Set<string>>();
for (const [code, names] of sources) {
  const known = accepted.get(code) ?? new Set();
  accepted.set(code, known);
  for (const name of names) {
    known.add(name);
    if (!codes.has(name)) codes.set(name, code);
  }
}

/** Emoji code by name. */
export const emojiCodes: ReadonlyMap<string, string> = codes;

/** The names that stand for each emoji code, the default name first. */
export const emojiNames: ReadonlyMap<string, readonly string[]> = new Map(
  Array.from(accepted, ([code, names]) => [
    code,
    [...names].filter((name) => codes.get(name) === code),
  ]),
);

/**
 * Whether a client may send this name with this code. Sources differ: `football` alone stands for
 * 26bd, but some clients send it with 1f3c8.
 */
export const isEmojiName = (name: string, code: string): boolean =>
  accepted.get(code)?.has(name) ?? false;
