import type { z } from 'zod';

import type { Shape } from './shape.ts';

type Schema = z.core.$ZodType;

/**
 * The shape of a schema. Throws for a schema that no shape describes, such as one with a transform:
 * add a kind to `Shape`, or change the schema.
 */
export function describe(schema: Schema): Shape {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'string':
      return describeText(schema);
    case 'number':
      return (def as z.core.$ZodNumberFormatDef).format === 'safeint' ? 'int' : 'number';
    case 'boolean':
    case 'unknown':
      return def.type;
    case 'literal':
      return { oneOf: def.values };
    case 'enum':
      return { oneOf: Object.values(def.entries) };
    case 'array':
      return { array: describe(def.element) };
    case 'tuple':
      return { tuple: def.items.map(describe) };
    case 'record':
      return { record: describe(def.valueType) };
    case 'object': {
      const entries = Object.entries(def.shape).map(([key, value]) => [key, describe(value)]);
      const others = def.catchall && { others: describe(def.catchall) };
      return { object: Object.fromEntries(entries), ...others };
    }
    case 'union':
      return { union: def.options.map(describe) };
    case 'nullable':
      return { nullable: describe(def.innerType) };
    case 'optional':
      return { optional: describe(def.innerType) };
    case 'default':
      return { missing: def.defaultValue, else: describe(def.innerType) };
    case 'pipe':
      return describePipe(schema as z.ZodType, def.in as z.core.$ZodTypes);
    default:
      throw new Error(`No shape describes a schema of the type ${def.type}`);
  }
}

function describeText({ _zod: { def } }: Schema): Shape {
  for (const check of def.checks ?? []) {
    const known = (check as z.core.$ZodChecks)._zod.def;
    if (known.check === 'string_format' && known.pattern) return { pattern: known.pattern.source };
  }
  return 'string';
}

/**
 * A pipe has a function in it, which is no data. Two kinds are described: a bigint read as a number,
 * and an enum by the result for each name.
 */
function describePipe(schema: z.ZodType, from: z.core.$ZodTypes): Shape {
  const { def } = from._zod;
  if (def.type === 'pipe') return describePipe(schema, def.in as z.core.$ZodTypes);
  if (def.type === 'bigint' && schema.parse(2n ** 60n) === Number(2n ** 60n))
    return { rounded: true };
  if (def.type !== 'enum')
    throw new Error('No shape describes a transform, except of an enum or a bigint');
  const names = Object.values(def.entries).map((name) => [name, schema.parse(name)]);
  return { renamed: Object.fromEntries(names) };
}
