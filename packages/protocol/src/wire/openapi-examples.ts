import type { JsonObject } from './json-schema.ts';

const UUID = '5f0f7f1c-8a4e-4f0e-9d35-0c1f2f7a0b11';

/**
 * An example of a value that a JSON Schema allows, with its required properties only. A schema that
 * means more than its type has its own: `.meta({ example })`, for most of them in values/fields.ts.
 */
function exampleOf(schema: unknown, schemas: JsonObject): unknown {
  if (typeof schema !== 'object' || schema === null) return 'anything';
  const { $ref, anyOf, oneOf, allOf, type, ...rest } = schema as JsonObject;
  if (typeof $ref === 'string') return exampleOf(schemas[$ref.split('/').at(-1) ?? ''], schemas);
  for (const known of ['example', 'const', 'default'])
    if (rest[known] !== undefined) return rest[known];
  const options = (anyOf ?? oneOf ?? allOf) as readonly JsonObject[] | undefined;
  if (options) {
    const [first] = options.filter((option) => option['type'] !== 'null');
    return exampleOf(first ?? options[0], schemas);
  }
  if (Array.isArray(rest['enum'])) return rest['enum'][0];
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return objectExample(rest, schemas);
    case 'array':
      return listExample(rest, schemas);
    case 'string':
      return stringExample(rest);
    case 'integer':
    case 'number':
      return numberExample(rest);
    case 'boolean':
      return false;
    default:
      return null;
  }
}

function objectExample({ properties = {}, required = [] }: JsonObject, schemas: JsonObject) {
  const entries = (required as readonly string[]).map((name) => [
    name,
    exampleOf((properties as JsonObject)[name], schemas),
  ]);
  return Object.fromEntries(entries) as JsonObject;
}

function listExample({ prefixItems, items }: JsonObject, schemas: JsonObject) {
  const all = (prefixItems as readonly unknown[] | undefined) ?? (items ? [items] : []);
  return all.map((item) => exampleOf(item, schemas));
}

function stringExample({ format, minLength = 0, maxLength = Infinity }: JsonObject): string {
  if (format === 'uuid') return UUID;
  return 'example'.padEnd(Number(minLength), 'example').slice(0, Number(maxLength));
}

const numberExample = ({ minimum = -Infinity, maximum = Infinity }: JsonObject): number =>
  Math.min(Math.max(7, Number(minimum)), Number(maximum));

interface Content {
  readonly schema: JsonObject;
  example?: unknown;
}
type ContentByType = Readonly<Record<string, Content>>;
interface Parameter {
  readonly name: string;
  readonly schema?: JsonObject;
  readonly content?: ContentByType;
  example?: unknown;
}
export interface Operation {
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: ContentByType };
  readonly responses: Readonly<Record<string, { readonly content: ContentByType }>>;
}

/** Gives each parameter, request and success of the operations an example. */
export function addExamples(operations: Iterable<Operation>, schemas: JsonObject): void {
  for (const { parameters, requestBody, responses } of operations) {
    for (const parameter of parameters) {
      if (parameter.schema) parameter.example = exampleOf(parameter.schema, schemas);
      else addToContent(parameter.content, schemas);
    }
    addToContent(requestBody?.content, schemas);
    addToContent((responses['200'] ?? responses['302'])?.content, schemas);
  }
}

function addToContent(content: ContentByType = {}, schemas: JsonObject): void {
  for (const [type, one] of Object.entries(content))
    if (type !== 'multipart/form-data') one.example = exampleOf(one.schema, schemas);
}
