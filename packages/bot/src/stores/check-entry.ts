import { BotError } from '../bot-error.ts';
import { jsonText } from './json-text.ts';
import type { JsonValue, SetOptions } from './store.ts';

const maxKeyLength = 400;
const hundredYearsMs = 3_155_760_000_000;

/**
 * What every store refuses alike, with BotError `store_failed`: a key that is empty, longer than
 * 400 characters, or holds what some storage cannot (NUL, half a surrogate pair).
 */
export function checkKey(key: string): void {
  if (key === '' || key.length > maxKeyLength || key.includes('\0') || !key.isWellFormed()) {
    const shown = JSON.stringify(key.slice(0, 60));
    throw new BotError(
      'store_failed',
      `${shown} is no key for a store: give 1 to 400 characters without NUL.`,
    );
  }
}

/**
 * The entry as a store keeps it: the JSON text of the value, and its life in whole milliseconds (at
 * most 100 years). Throws BotError `store_failed` for a wrong key, value or life.
 */
export function checkEntry(key: string, value: JsonValue, { ttlMs }: SetOptions) {
  checkKey(key);
  if (ttlMs !== undefined && !(ttlMs > 0)) {
    throw new BotError(
      'store_failed',
      `ttlMs of "${key}" is ${ttlMs}: give a number above 0, or leave it out.`,
    );
  }
  const life = ttlMs === undefined ? undefined : Math.ceil(Math.min(ttlMs, hundredYearsMs));
  return { text: jsonText(value), ttlMs: life };
}
