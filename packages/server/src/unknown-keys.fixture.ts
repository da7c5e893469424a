import type { z } from 'zod';

type Schema = z.core.$ZodTypes;

/** Paths of what a value holds beyond its schema, which reading it would drop: `user.shoe_size`. */
export function unknownKeys(schema: z.core.$ZodType, value: unknown, at = ''): string[] {
  const { def } = (schema as Schema)._zod;
  switch (def.type) {
    case 'object':
      return ofObject(def, value, at);
    case 'array':
      return listed(value).flatMap((item, n) => unknownKeys(def.element, item, `${at}[${n}]`));
    case 'tuple':
      return listed(value).flatMap((item, n) => {
        const part = def.items[n];
        return part ? unknownKeys(part, item, `${at}[${n}]`) : [];
      });
    case 'record':
      return entriesOf(value).flatMap(([key, item]) =>
        unknownKeys(def.valueType, item, `${at}.${key}`),
      );
    case 'union':
      return best(def.options, value, at);
    case 'pipe':
      return unknownKeys(def.in, value, at);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return value === undefined || value === null ? [] : unknownKeys(def.innerType, value, at);
    default:
      return [];
  }
}

function ofObject(def: z.core.$ZodObjectDef, value: unknown, at: string): string[] {
  return entriesOf(value).flatMap(([key, item]) => {
    const path = at === '' ? key : `${at}.${key}`;
    const field = def.shape[key];
    if (field) return unknownKeys(field, item, path);
    return def.catchall ? [] : [path];
  });
}

/** Of the options that take the value, the one that knows most of it. */
function best(options: readonly z.core.$ZodType[], value: unknown, at: string): string[] {
  const fitting = options.filter(
    (option) => (option as unknown as z.ZodType).safeParse(value).success,
  );
  const found = fitting.map((option) => unknownKeys(option, value, at));
  return found.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];
