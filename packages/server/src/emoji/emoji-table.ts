import { createRequire } from 'node:module';

import { once } from '@bellhop/http';

const require = createRequire(import.meta.url);

// The tables are large, and most programs end without an emoji: they are made at their first use.

/** The names that clients use, by code. */
const clientNames = once(
  () => require('./client-names.json') as Readonly<Record<string, readonly string[]>>,
);

const withoutSelectors = (code: string): string => code.replaceAll('-fe0f', '');

/** The codes that contain variation selectors in clients, by the same code without them. */
const codesWithSelectors = once(
  () =>
    new Map(
      Object.keys(clientNames())
        .filter((code) => code.includes('-fe0f'))
        .map((code) => [withoutSelectors(code), code]),
    ),
);

/** The code that clients use for an emoji, given its code with or without variation selectors. */
export function canonicalCode(code: string): string {
  const plain = withoutSelectors(code);
  return codesWithSelectors().get(plain) ?? plain;
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
function* sources(): Generator<readonly [code: string, names: readonly string[]]> {
  const unicode = require('unicode-emoji-json/data-by-emoji.json') as UnicodeEmoji;
  const { gemoji } = require('gemoji') as typeof import('gemoji');
  yield* Object.entries(clientNames());
  yield* Object.entries(ownNames);
  for (const [emoji, { slug }] of Object.entries(unicode)) yield [emojiCode(emoji), [slug]];
  for (const { emoji, names } of gemoji) yield [emojiCode(emoji), names];
}
type UnicodeEmoji = Readonly<Record<string, { readonly slug: string }>>;

const table = once(() => {
  const codes = new Map<string, string>();
  const accepted = new Map<string, Set<string>>();
  for (const [code, names] of sources()) {
    const known = accepted.get(code) ?? new Set();
    accepted.set(code, known);
    for (const name of names) {
      known.add(name);
      if (!codes.has(name)) codes.set(name, code);
    }
  }
  const names: ReadonlyMap<string, readonly string[]> = new Map(
    Array.from(accepted, ([code, all]) => [
      code,
      [...all].filter((name) => codes.get(name) === code),
    ]),
  );
  return { codes: codes as ReadonlyMap<string, string>, accepted, names };
});

/** Emoji code by name. */
export const emojiCodes = (): ReadonlyMap<string, string> => table().codes;

/** The names that stand for each emoji code, the default name first. */
export const emojiNames = (): ReadonlyMap<string, readonly string[]> => table().names;

/**
 * Whether a client may send this name with this code. Sources differ: `football` alone stands for
 * 26bd, but some clients send it with 1f3c8.
 */
export const isEmojiName = (name: string, code: string): boolean =>
  table().accepted.get(code)?.has(name) ?? false;
