import { BotError } from '../bot-error.ts';
import { jsonText } from './json-text.ts';
import type { JsonValue, SetOptions } from './store.ts';

const maxKeyLength = 400;
const hundredYearsMs = 3_155_760_000_000;

/**
 * Throws BotError `store_failed` for a key that is empty, longer than 400 characters, or contains
 * NUL or a lone surrogate, which some storages cannot hold.
 */
export function checkKey(key: string): void {
  if (key === '' || key.length > maxKeyLength || key.includes('\0') || !key.isWellFormed()) {
    const shown = JSON.stringify(key.slice(0, 60));
    throw new BotError(
      'store_failed',
      `${shown} is not a valid key: a key has 1 to 400 characters, without NUL and lone surrogates.`,
    );
  }
}

/**
 * The value as JSON text, and `ttlMs` rounded up to whole milliseconds, at most 100 years. Throws
 * BotError `store_failed` for an invalid key, value or `ttlMs`.
 */
export function checkEntry(key: string, value: JsonValue, { ttlMs }: SetOptions) {
  checkKey(key);
  if (ttlMs !== undefined && !(ttlMs > 0)) {
    throw new BotError(
      'store_failed',
      `ttlMs of "${key}" is ${ttlMs}: it must be above 0, or undefined for no expiry.`,
    );
  }
  const wholeMs = ttlMs === undefined ? undefined : Math.ceil(Math.min(ttlMs, hundredYearsMs));
  return { text: jsonText(value), ttlMs: wholeMs };
}
