import type { z } from 'zod';

type Schema = z.core.$ZodTypes;

/** Paths of the keys of a value that its schema does not declare and parsing would drop: `user.shoe_size`. */
export function unknownKeys(schema: z.core.$ZodType, value: unknown, path = ''): string[] {
  const { def } = (schema as Schema)._zod;
  switch (def.type) {
    case 'object':
      return unknownKeysOfObject(def, value, path);
    case 'array':
      return itemsOf(value).flatMap((item, n) => unknownKeys(def.element, item, `${path}[${n}]`));
    case 'tuple':
      return itemsOf(value).flatMap((item, n) => {
        const part = def.items[n];
        return part ? unknownKeys(part, item, `${path}[${n}]`) : [];
      });
    case 'record':
      return entriesOf(value).flatMap(([key, item]) =>
        unknownKeys(def.valueType, item, `${path}.${key}`),
      );
    case 'union':
      return unknownKeysOfUnion(def.options, value, path);
    case 'pipe':
      return unknownKeys(def.in, value, path);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return value === undefined || value === null ? [] : unknownKeys(def.innerType, value, path);
    default:
      return [];
  }
}

function unknownKeysOfObject(def: z.core.$ZodObjectDef, value: unknown, parent: string): string[] {
  return entriesOf(value).flatMap(([key, item]) => {
    const path = parent === '' ? key : `${parent}.${key}`;
    const field = def.shape[key];
    if (field) return unknownKeys(field, item, path);
    return def.catchall ? [] : [path];
  });
}

/** The unknown keys for the option that accepts the value and leaves the fewest unknown. */
function unknownKeysOfUnion(
  options: readonly z.core.$ZodType[],
  value: unknown,
  path: string,
): string[] {
  const accepting = options.filter(
    (option) => (option as unknown as z.ZodType).safeParse(value).success,
  );
  const candidates = accepting.map((option) => unknownKeys(option, value, path));
  return candidates.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];
