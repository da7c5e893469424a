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
      return describeNumber(schema as z.core.$ZodNumber);
    case 'boolean':
    case 'bigint':
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

const checksOf = (schema: Schema) =>
  (schema._zod.def.checks ?? []).map((check) => (check as z.core.$ZodChecks)._zod.def);

function describeText(schema: Schema): Shape {
  for (const check of checksOf(schema))
    if (check.check === 'string_format' && check.pattern) return { pattern: check.pattern.source };
  return 'string';
}

function describeNumber(schema: z.core.$ZodNumber): Shape {
  const { minimum = -Infinity, maximum = Infinity } = schema._zod.bag;
  const int = (schema._zod.def as z.core.$ZodNumberFormatDef).format === 'safeint';
  const bound = (value: number) => (Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : null);
  const [least, most] = [bound(minimum), bound(maximum)];
  if (least === null && most === null) return int ? 'int' : 'number';
  if (int && least === 0 && most === null) return 'id';
  return { between: [least, most], int };
}

/**
 * A pipe ends in a function, which is no data. Two kinds are described: a bigint read as a number,
 * and an enum by the result for each name.
 */
function describePipe(schema: z.ZodType, from: z.core.$ZodTypes): Shape {
  const { def } = from._zod;
  if (def.type === 'bigint' && schema.parse(2n ** 60n) === Number(2n ** 60n))
    return { rounded: true };
  if (def.type !== 'enum')
    throw new Error('No shape describes a transform, except of an enum or a bigint');
  const names = Object.values(def.entries).map((name) => [name, schema.parse(name)]);
  return { renamed: Object.fromEntries(names) };
}
