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
      foldNullable(target);
      showEncrypted(target, schemas);
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

/** Says of a nullable value with an example that its type is one of two, as of one without. */
function foldNullable(target: JsonObject): void {
  const [value, none] = (target['anyOf'] ?? []) as readonly JsonObject[];
  const { type, example, ...rest } = value ?? {};
  if (none?.['type'] !== 'null' || example === undefined || Object.keys(rest).length > 0) return;
  delete target['anyOf'];
  Object.assign(target, { type: [type, 'null'], example, ...target });
}

/**
 * Documents the plaintext of encrypted fields: `contains` of a text is the schema of the JSON in
 * the box, and `encrypts` of a public key is that of the JSON sealed for it.
 */
function showEncrypted(target: JsonObject, schemas: JsonObject): void {
  const { contains, encrypts } = target;
  delete target['contains'];
  delete target['encrypts'];
  if (contains instanceof z.ZodType)
    Object.assign(target, {
      contentEncoding: 'base64',
      contentMediaType: 'application/json',
      contentSchema: named(contains, schemas),
    });
  if (encrypts instanceof z.ZodType) target['x-encrypts'] = named(encrypts, schemas);
}

/** Adds a named schema to `schemas`; returns the reference to it. */
function named(schema: z.ZodType, schemas: JsonObject): unknown {
  const { properties } = jsonSchema(z.object({ schema }), 'output', schemas);
  return (properties as JsonObject)['schema'];
}
