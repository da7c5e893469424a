import type { Endpoint } from '@bellhop/protocol';
import { z } from 'zod';

const known = new WeakMap<z.core.$ZodType, ReadonlySet<string>>();

/** The types of JSON value a parameter may have. */
export function jsonTypes({ params }: Endpoint, name: string): ReadonlySet<string> {
  const schema = params.shape[name];
  if (!schema) return new Set();
  const types = known.get(schema) ?? typesOf(schema);
  known.set(schema, types);
  return types;
}

function typesOf(schema: z.core.$ZodType): ReadonlySet<string> {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const types = new Set<string>();
  const visit = (part: z.core.JSONSchema._JSONSchema | undefined): void => {
    if (!part || typeof part === 'boolean') return;
    for (const one of [...(part.anyOf ?? []), ...(part.oneOf ?? [])]) visit(one);
    if (part.$ref) visit(json.$defs?.[part.$ref.split('/').at(-1) ?? '']);
    for (const type of [part.type ?? []].flat()) types.add(type);
    for (const value of [part.const, ...(part.enum ?? [])])
      if (value !== undefined) types.add(typeof value === 'string' ? 'string' : 'number');
  };
  visit(json);
  return types;
}
