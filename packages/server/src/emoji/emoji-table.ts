import { gemoji } from 'gemoji';
import unicodeEmoji from 'unicode-emoji-json/data-by-emoji.json' with { type: 'json' };

import { protocolNames } from './protocol-names.ts';

/** The API code of an emoji: hex code points joined by dashes, without variation selectors. */
export const emojiCode = (characters: string): string =>
  Array.from(characters, (character) => character.codePointAt(0) ?? 0)
    .filter((point) => point !== 0xfe0f)
    .map((point) => point.toString(16).padStart(4, '0'))
    .join('-');

const shortNames = new Map(gemoji.map(({ emoji, names }) => [emojiCode(emoji), names]));

function tables() {
  const longNames = Object.entries(unicodeEmoji).map(
    ([characters, { slug }]) => [emojiCode(characters), slug] as const,
  );
  const codes = new Map<string, string>();
  const give = (name: string, code: string) => {
    if (!codes.has(name)) codes.set(name, code);
  };
  for (const [code, names] of Object.entries(protocolNames))
    for (const name of names) give(name, code);
  for (const [code, name] of longNames) give(name, code);
  for (const [code] of longNames) for (const name of shortNames.get(code) ?? []) give(name, code);
  const names = longNames.map(([code, long]): [string, string[]] => {
    const all = [...(protocolNames[code] ?? []), ...(shortNames.get(code) ?? []), long];
    return [code, [...new Set(all)].filter((name) => codes.get(name) === code)];
  });
  return { codes, names: new Map<string, readonly string[]>(names) };
}

const { codes, names } = tables();

/** Emoji code by name: names of the protocol's clients first, then Unicode's, then GitHub's. */
export const emojiCodes: ReadonlyMap<string, string> = codes;
/** The names of each emoji code, the default name first. */
export const emojiNames: ReadonlyMap<string, readonly string[]> = names;
