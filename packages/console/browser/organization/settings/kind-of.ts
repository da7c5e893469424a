import { z } from 'zod';

import type { FieldKind, FieldValue } from '../frame/field-input.tsx';

/** The words for the values of choices, by value. */
export type ValueNames = Readonly<Record<string, string>>;

const DEFAULT_LENGTH = 1000;

/** The field for a setting, by its schema in the contract. */
export function kindOf(schema: z.ZodType, names: ValueNames = {}): FieldKind {
  if (schema instanceof z.ZodPipe) return kindOf(schema.out as z.ZodType, names);
  const inner = schema instanceof z.ZodNullable ? (schema.unwrap() as z.ZodType) : schema;
  const choice = (values: readonly FieldValue[]): FieldKind => ({
    kind: 'choice',
    options: values.map((value) => ({ value, label: names[String(value)] ?? String(value) })),
  });
  const limit = (check: string) => limitsOf(inner).find((one) => one.check === check);
  if (inner instanceof z.ZodBoolean) return { kind: 'switch' };
  if (inner instanceof z.ZodLiteral) return choice([...inner.def.values] as FieldValue[]);
  if (inner instanceof z.ZodEnum) return choice(Object.values(inner.def.entries));
  if (inner instanceof z.ZodNumber)
    return { kind: 'number', min: limit('greater_than')?.value, max: limit('less_than')?.value };
  if (inner instanceof z.ZodString)
    return { kind: 'text', maxLength: limit('max_length')?.maximum ?? DEFAULT_LENGTH };
  throw new TypeError('A setting has a schema without a field: add one to kindOf()');
}

interface Limit {
  readonly check: string;
  readonly value?: number;
  readonly maximum?: number;
}

/**
 * The fields that zod's own `minValue` and `maxLength` read: they need its JSON Schemas, which the
 * console leaves out.
 */
const limitsOf = (schema: z.ZodType): readonly Limit[] =>
  (schema.def.checks ?? []).map((check) => check._zod.def as unknown as Limit);
