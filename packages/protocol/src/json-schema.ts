import { z } from 'zod';

export type JsonObject = Record<string, unknown>;

/**
 * Converts a schema to JSON Schema 2020-12. Named schemas are added to `schemas` and referred to.
 */
export function jsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  schemas: JsonObject,
): JsonObject {
  const {
    $defs,
    $schema: _dialect,
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: target }) => {
      if (zodSchema._zod.def.type === 'bigint')
        Object.assign(target, { type: 'integer', format: 'int64' });
      delete target['quotable'];
      delete target['withSlashes'];
      delete target['x-fails-alone'];
    },
  }) as JsonObject & { $defs?: JsonObject };
  const relocated = JSON.parse(
    JSON.stringify({ rest, $defs: $defs ?? {} }).replaceAll('#/$defs/', '#/components/schemas/'),
  ) as { rest: JsonObject; $defs: JsonObject };
  for (const [name, definition] of Object.entries(relocated.$defs)) {
    const { id: _id, $schema: _inner, ...body } = definition as JsonObject;
    schemas[name] = body;
  }
  return relocated.rest;
}
