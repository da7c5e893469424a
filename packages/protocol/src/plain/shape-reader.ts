import type { Shape } from './shape.ts';

/** The result of a reader for a value that does not fit. */
const INVALID = Symbol('invalid');

type Reader = (value: unknown) => unknown;

/** The keys that lead to the last value that did not fit, innermost first. */
let trace: string[] = [];

/**
 * The value as its schema would return it, or the path of the part that does not fit:
 * `messages.0.id`.
 */
export type Reading =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly path: string };

/**
 * Makes a function that reads values of a shape, as `safeParse` of its schema does, but keeps keys that
 * the schema does not name.
 */
export function shapeReader(shape: Shape): (value: unknown) => Reading {
  const read = readerOf(shape);
  return (value) => {
    trace = [];
    const data = read(value);
    if (data === INVALID) return { success: false, path: trace.toReversed().join('.') };
    return { success: true, data };
  };
}

const when =
  (fits: (value: unknown) => boolean): Reader =>
  (value) =>
    fits(value) ? value : INVALID;

const simple = {
  string: when((value) => typeof value === 'string'),
  number: when(Number.isFinite),
  int: when(Number.isSafeInteger),
  boolean: when((value) => typeof value === 'boolean'),
  unknown: (value) => value,
} satisfies Record<string, Reader>;

function readerOf(shape: Shape): Reader {
  if (typeof shape === 'string') return simple[shape];
  if ('pattern' in shape) return textMatching(new RegExp(shape.pattern));
  if ('oneOf' in shape) return when((value) => shape.oneOf.includes(value));
  if ('renamed' in shape) return renamed(shape.renamed);
  if ('rounded' in shape) return (value) => (typeof value === 'bigint' ? Number(value) : INVALID);
  if ('array' in shape) return listOf(readerOf(shape.array));
  if ('tuple' in shape) return tupleOf(shape.tuple.map(readerOf));
  if ('record' in shape) return objectOf([], readerOf(shape.record));
  if ('object' in shape)
    return objectOf(Object.entries(shape.object), shape.others && readerOf(shape.others));
  if ('union' in shape) return firstOf(shape.union.map(readerOf));
  if ('nullable' in shape) return unless(null, null, readerOf(shape.nullable));
  if ('optional' in shape) return unless(undefined, undefined, readerOf(shape.optional));
  return unless(undefined, shape.missing, readerOf(shape.else));
}

const textMatching = (pattern: RegExp): Reader =>
  when((value) => typeof value === 'string' && pattern.test(value));

const renamed =
  (names: Readonly<Record<string, string>>): Reader =>
  (value) =>
    typeof value === 'string' && Object.hasOwn(names, value) ? names[value] : INVALID;

/**
 * Returns `result` for the value `given`; copies a list or object, so that two values do not share
 * a default.
 */
const unless =
  (given: unknown, result: unknown, read: Reader): Reader =>
  (value) =>
    value === given ? (typeof result === 'object' ? structuredClone(result) : result) : read(value);

const firstOf =
  (readers: readonly Reader[]): Reader =>
  (value) => {
    const { length } = trace;
    for (const read of readers) {
      const data = read(value);
      if (data !== INVALID) return data;
      trace.length = length;
    }
    return INVALID;
  };

const listOf =
  (read: Reader): Reader =>
  (value) => {
    if (!Array.isArray(value)) return INVALID;
    const list: unknown[] = [];
    for (const item of value) {
      const data = read(item);
      if (data === INVALID) return invalidAt(String(list.length));
      list.push(data);
    }
    return list;
  };

const tupleOf =
  (readers: readonly Reader[]): Reader =>
  (value) => {
    if (!Array.isArray(value) || value.length !== readers.length) return INVALID;
    const list = readers.map((read, at) => read(value[at]));
    const wrong = list.indexOf(INVALID);
    return wrong === -1 ? list : invalidAt(String(wrong));
  };

/**
 * Keys that the shape does not name are read by `others`, or kept without it. The object is copied
 * only if one of its values changes.
 */
function objectOf(shapes: readonly (readonly [string, Shape])[], others?: Reader): Reader {
  const known = new Set(shapes.map(([key]) => key));
  const readers = shapes.map(([key, shape]) => ({ key, read: readerOf(shape) }));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return INVALID;
    const given = value as Readonly<Record<string, unknown>>;
    let changed: Record<string, unknown> | undefined;
    for (const { key, read } of readers) {
      const one = given[key];
      const data = read(one);
      if (data === INVALID) return invalidAt(key);
      if (data !== one) (changed ??= { ...given })[key] = data;
    }
    if (!others) return changed ?? given;
    for (const key of Object.keys(given)) {
      if (known.has(key) || key === '__proto__') continue;
      const data = others(given[key]);
      if (data === INVALID) return invalidAt(key);
      if (data !== given[key]) (changed ??= { ...given })[key] = data;
    }
    return changed ?? given;
  };
}

function invalidAt(key: string): typeof INVALID {
  trace.push(key);
  return INVALID;
}
