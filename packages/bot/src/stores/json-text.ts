import { BotError } from '../bot-error.ts';

/**
 * The JSON text of a value that is JSON through and through. Throws BotError `store_failed` that
 * names the first place where it is not (a Date, a Map, NaN, ...): what JSON would quietly change
 * is refused. Properties that are undefined are left out, as JSON does.
 */
export function jsonText(value: unknown): string {
  check(value, 'value', []);
  return JSON.stringify(value);
}

function check(value: unknown, place: string, above: readonly object[]): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (typeof value !== 'object') throw notJson(place, shown(value));
  if (above.includes(value)) throw notJson(place, 'a circle');
  const path = [...above, value];
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) check(item, `${place}[${index}]`, path);
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in value) {
    throw notJson(place, `a ${value.constructor.name}`);
  }
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) check(item, `${place}.${key}`, path);
  }
}

const notJson = (place: string, what: string) =>
  new BotError('store_failed', `${place} is ${what}, which JSON cannot hold: keep plain data.`);

const shown = (value: unknown) =>
  typeof value === 'number' || value === undefined ? String(value) : `a ${typeof value}`;
