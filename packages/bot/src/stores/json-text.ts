import { BotError } from '../bot-error.ts';

/**
 * The JSON text of a value. Throws BotError `store_failed` with the path of the first part that JSON
 * would change (a Date, a Map, NaN, ...). Omits properties that are undefined, as JSON does.
 */
export function jsonText(value: unknown): string {
  check(value, 'value', []);
  return JSON.stringify(value);
}

function check(value: unknown, path: string, ancestors: readonly object[]): void {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  if (typeof value === 'number' && Number.isFinite(value)) return;
  if (typeof value !== 'object') throw notJson(path, shown(value));
  if (ancestors.includes(value)) throw notJson(path, 'a circular reference');
  const parents = [...ancestors, value];
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) check(item, `${path}[${index}]`, parents);
    return;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in value) {
    throw notJson(path, `a ${value.constructor.name}`);
  }
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) check(item, `${path}.${key}`, parents);
  }
}

const notJson = (path: string, what: string) =>
  new BotError('store_failed', `${path} is ${what}, which JSON cannot hold: store plain data.`);

const shown = (value: unknown) =>
  typeof value === 'number' || value === undefined ? String(value) : `a ${typeof value}`;
