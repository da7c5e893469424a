import { plainForm, visibleText, wordKey } from '@bellhop/protocol/plain';

import {
  type MentionedChannel,
  mentionedChannel,
  type MentionedUser,
  mentionedUser,
  type MentionIds,
} from '../mentions.ts';
import type { StandardSchema } from '../sessions/standard-schema.ts';
import { readDate, readDuration } from './dates-and-durations.ts';
import { linkIn } from './markdown-link.ts';

/** A type of argument: its parser, and its name in error messages. */
export interface ArgumentType<T> {
  /** Markdown after "must be" in an error message: ``a whole number, such as `3` ``. */
  readonly expects: string;
  /** The value of a text; undefined for an invalid one. */
  readonly read: (text: string) => T | undefined;
  /** The most words of a value that is not in quotes; the longest valid one is taken. Default: 1. */
  readonly maxWords?: number;
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['no', false],
  ['off', false],
]);

/** The built-in types of a usage. Parsing, error messages and `ArgsOf` all derive from this table. */
export const argumentTypes = {
  string: { expects: 'text', read: (text: string) => text },
  int: { expects: 'a whole number, such as `3`', read: (text: string) => readInt(plainForm(text)) },
  number: {
    expects: 'a number, such as `2.5`',
    read: (text: string) => readNumber(plainForm(text)),
  },
  boolean: {
    expects: 'yes or no',
    read: (text: string): boolean | undefined => BOOLEANS.get(wordKey(text)),
  },
  url: { expects: 'a web address, such as `https://example.com`', read: readUrl },
  email: { expects: 'an e-mail address, such as `ann@example.com`', read: readEmail },
  date: { expects: 'a date, such as `2030-12-31`', read: readDate, maxWords: 2 },
  duration: { expects: 'a duration, such as `10m` or `2 hours`', read: readDuration, maxWords: 8 },
  user: {
    expects: 'a mention of a user, such as `@**Ann Lee**`',
    read: (text: string, ids?: MentionIds): MentionedUser | undefined => mentionedUser(text, ids),
  },
  channel: {
    expects: 'a link to a channel, such as `#**general**`',
    read: (text: string): MentionedChannel | undefined => mentionedChannel(text),
  },
} satisfies Record<string, ArgumentType<unknown>>;

/** The values of the built-in types. */
export type BuiltInValues = {
  [K in keyof typeof argumentTypes]: Exclude<
    ReturnType<(typeof argumentTypes)[K]['read']>,
    undefined
  >;
};

/**
 * The custom types of a bot by name: a parser, a parser with its name in error messages, or a schema of
 * texts (zod, valibot, arktype) that answers at once. A parser refuses a text by returning undefined or
 * by throwing; users never see the error that it throws. They see the first issue of a schema.
 */
export type CustomTypes = Readonly<
  Record<string, ((text: string) => unknown) | ArgumentType<unknown> | StandardSchema>
>;

function readInt(text: string): number | undefined {
  const value = /^[+-]?\d{1,16}$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(value) ? value : undefined;
}

function readNumber(text: string): number | undefined {
  const value = /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
  return Number.isFinite(value) ? value : undefined;
}

function readUrl(text: string): URL | undefined {
  // The characters of an address stay as they are, unless they make none.
  const target = visibleText(linkTarget(visibleText(text)));
  const url = URL.parse(target) ?? URL.parse(linkTarget(plainForm(text)));
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url : undefined;
}

function readEmail(text: string): string | undefined {
  const typed = linkTarget(plainForm(text)).replace(/^mailto:([^?]*).*$/is, '$1');
  // Keyboards for Chinese and Japanese have another dot.
  const address = typed.replaceAll('。', '.');
  return address.length <= 254 && EMAIL.test(address) ? address : undefined;
}

const EMAIL =
  /^[^\s@<>.,;:"()[\]\\]+(?:\.[^\s@<>.,;:"()[\]\\]+)*@[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)+$/u;

// Clients send links as [text](target) or <target>.
function linkTarget(text: string): string {
  const target = linkIn(text)?.target ?? text;
  return /^<([^<>\s]*)>$/.exec(target)?.[1] ?? target;
}
