import type { JsonObject } from './json-schema.ts';

const UUID = '5f0f7f1c-8a4e-4f0e-9d35-0c1f2f7a0b11';

/** The examples of texts and numbers, by how their name ends. The first that fits counts. */
const byName: readonly (readonly [name: RegExp, example: string | number])[] = [
  [/(^|_)e?mails?$|^username$|^bot_owner$/, 'iago@example.com'],
  [/full_name$/, 'Iago'],
  [/^(stream|channel|default_.*_stream|name|new_name|folder)$/, 'general'],
  [/^operator$/, 'channel'],
  [/^(operand|display_recipient)$/, 'general'],
  [/^to$/, '[7]'],
  [/^client$/, 'website'],
  [/^msg_type$/, 'widget'],
  [/^date_joined$/, '2026-01-01T12:00+00:00'],
  [/topic|subject/, 'greetings'],
  [/html|rendered/, '<p>Hello!</p>'],
  [/content|text|markdown/, 'Hello!'],
  [/description/, 'For everything'],
  [/avatar_url/, 'https://chat.example.com/avatars/7.png'],
  [/url/, 'https://chat.example.com/'],
  [/color/, '#76ce90'],
  [/emoji_name/, 'tada'],
  [/emoji_code/, '1f389'],
  [/timezone/, 'Europe/Prague'],
  [/queue_id$/, UUID],
  [/public_key$/, `${'A'.repeat(43)}=`],
  [/api_key|key$|token$/, 'k2v9QmYx0aZr4TtLw7NbHc3PdEf6GsJu'],
  [/timestamp|_at$|date_created|last_updated|expiry|_date$/, 1_767_225_600],
];

/** An example of a value that a JSON Schema allows, with its required properties only. */
function exampleOf(schema: unknown, schemas: JsonObject, name = ''): unknown {
  if (typeof schema !== 'object' || schema === null) return 'anything';
  const { $ref, anyOf, oneOf, allOf, type, ...rest } = schema as JsonObject;
  if (typeof $ref === 'string')
    return exampleOf(schemas[$ref.split('/').at(-1) ?? ''], schemas, name);
  for (const known of ['example', 'const', 'default'])
    if (rest[known] !== undefined) return rest[known];
  const options = (anyOf ?? oneOf ?? allOf) as readonly JsonObject[] | undefined;
  if (options) {
    const [first] = options.filter((option) => option['type'] !== 'null');
    return exampleOf(first ?? options[0], schemas, name);
  }
  if (Array.isArray(rest['enum'])) return rest['enum'][0];
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return objectExample(rest, schemas);
    case 'array':
      return listExample(rest, schemas, name);
    case 'string':
      return stringExample(rest, name);
    case 'integer':
    case 'number':
      return numberExample(rest, name);
    case 'boolean':
      return !/^is_(?!active)/.test(name);
    default:
      return null;
  }
}

function objectExample({ properties = {}, required = [] }: JsonObject, schemas: JsonObject) {
  const names = required as readonly string[];
  const entries = names.map((name) => [
    name,
    exampleOf((properties as JsonObject)[name], schemas, name),
  ]);
  return Object.fromEntries(entries) as JsonObject;
}

function listExample({ prefixItems, items }: JsonObject, schemas: JsonObject, name: string) {
  const all = (prefixItems as readonly unknown[] | undefined) ?? (items ? [items] : []);
  return all.map((item) => exampleOf(item, schemas, name.replace(/s$/, '')));
}

function stringExample(
  { format, minLength = 0, maxLength = Infinity }: JsonObject,
  name: string,
): string {
  if (format === 'uuid') return UUID;
  const found = byName.find(
    ([ending, example]) => typeof example === 'string' && ending.test(name),
  );
  const text = String(found?.[1] ?? 'example');
  return text.padEnd(Number(minLength), text).slice(0, Number(maxLength));
}

function numberExample(
  { minimum = -Infinity, maximum = Infinity }: JsonObject,
  name: string,
): number {
  const found = byName.find(
    ([ending, example]) => typeof example === 'number' && ending.test(name),
  );
  const wanted = Number(found?.[1] ?? 7);
  return Math.min(Math.max(wanted, Number(minimum)), Number(maximum));
}

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
      if (parameter.schema)
        parameter.example = exampleOf(parameter.schema, schemas, parameter.name);
      else addToContent(parameter.content, schemas, parameter.name);
    }
    addToContent(requestBody?.content, schemas);
    addToContent((responses['200'] ?? responses['302'])?.content, schemas);
  }
}

function addToContent(content: ContentByType = {}, schemas: JsonObject, name = ''): void {
  for (const [type, one] of Object.entries(content))
    if (type !== 'multipart/form-data') one.example = exampleOf(one.schema, schemas, name);
}
