import { stringifyJson } from '@bellhop/protocol';
import { z } from 'zod';

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes['_zod']['def'];

/** A value of a parameter whose part at `path` has the size of its limit, or one more. */
export interface SizedValue {
  /** `subscriptions[].name` */
  readonly path: string;
  /** Characters of a text, entries of a list or map, or the largest number. */
  readonly limit: number | bigint;
  /** Whether an error names the limit: not that of all integers, or of a format such as a UUID. */
  readonly isNamed: boolean;
  readonly value: unknown;
}

/** The largest integer that a JavaScript number holds exactly: the limit of `z.int()`. */
const MAX_SAFE = Number.MAX_SAFE_INTEGER;

/** Paths of the texts, lists, maps and numbers of a parameter that have no upper limit. */
export function unlimitedParts(schema: Schema, path: string): string[] {
  const def = defOf(schema);
  if (jsonLimitOf(schema) !== undefined) return [];
  const within = partsOf(schema).flatMap(({ name, part }) =>
    unlimitedParts(part, joined(path, name)),
  );
  const isLimited = hasNoSize(def) || limitOf(schema) !== undefined;
  return isLimited ? within : [path, ...within];
}

/**
 * For each limit in a parameter: a value that is as small as possible elsewhere, and there has the
 * size of the limit plus `excess`.
 */
export function sizedValues(schema: Schema, path: string, excess: 0 | 1): SizedValue[] {
  const items = excess === 1 ? fallbackOf(schema) : undefined;
  if (items) return sizedValues(items, path, excess);
  const limit = limitOf(schema);
  const own =
    limit === undefined
      ? []
      : [{ path, limit, isNamed: isNamed(schema), value: valueOfSize(schema, limit, excess) }];
  const within = partsOf(schema).flatMap(({ name, part, embed }) =>
    sizedValues(part, joined(path, name), excess).map((sized) => ({
      ...sized,
      value: embed(sized.value),
    })),
  );
  return [...own, ...within];
}

/** The last option of a union whose values fail alone: its limits are those that fail a request. */
function fallbackOf(schema: Schema): Schema | undefined {
  const def = defOf(schema);
  const failsAlone = (schema as z.ZodType).meta()?.['x-fails-alone'] === true;
  return failsAlone && def.type === 'union' ? def.options.at(-1) : undefined;
}

const defOf = (schema: Schema): Def => (schema as z.core.$ZodTypes)._zod.def;
const joined = (path: string, name: string) => (/^\w/.test(name) ? `${path}.${name}` : path + name);

/** Types with a fixed set of values, and types whose parts have the sizes. */
function hasNoSize(def: Def): boolean {
  switch (def.type) {
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'null':
    case 'tuple':
    case 'union':
      return true;
    case 'object':
      return def.catchall === undefined || defOf(def.catchall).type === 'never';
    default:
      return isWrapper(def);
  }
}

const isWrapper = (def: Def) => 'innerType' in def || def.type === 'pipe';

/** The largest size of a value: undefined if there is none, or if its type has no size. */
function limitOf(schema: Schema): number | bigint | undefined {
  const def = defOf(schema);
  if (isWrapper(def) || hasNoSize(def)) return undefined;
  if (def.type === 'bigint') return (schema as z.ZodBigInt).maxValue ?? undefined;
  const { maxLength, maxItems, maxProperties, maximum, format } = jsonSchemaOf(schema);
  return (
    jsonLimitOf(schema) ??
    maxLength ??
    maxItems ??
    maxProperties ??
    maximum ??
    FORMAT_LENGTHS[format ?? '']
  );
}

/** The largest length of a value as JSON text: it limits all parts of the value. */
const jsonLimitOf = (schema: Schema): number | undefined =>
  (schema as z.ZodType).meta()?.['x-max-json-length'] as number | undefined;

const jsonSchemas = new WeakMap<Schema, z.core.JSONSchema.BaseSchema>();

function jsonSchemaOf(schema: Schema): z.core.JSONSchema.BaseSchema {
  const known = jsonSchemas.get(schema) ?? toJsonSchema(schema);
  jsonSchemas.set(schema, known);
  return known;
}

function toJsonSchema(schema: Schema): z.core.JSONSchema.BaseSchema {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  // A schema with a name is among the definitions.
  const name = json.$ref?.split('/').at(-1);
  return name === undefined ? json : (json.$defs?.[name] ?? json);
}

const isNamed = (schema: Schema): boolean => {
  const { maximum = 0, format = '' } = jsonSchemaOf(schema);
  return maximum < MAX_SAFE && !(format in FORMAT_LENGTHS);
};

/** Formats of text with one length. */
const FORMAT_LENGTHS: Record<string, number> = { uuid: 36 };

interface Part {
  readonly name: string;
  readonly part: Schema;
  /** A value of the whole with this value of the part. */
  readonly embed: (value: unknown) => unknown;
}

/** The parts of a schema of which a value consists, or one of which it is. */
function partsOf(schema: Schema): Part[] {
  const def = defOf(schema);
  const same = (part: Schema): Part => ({ name: '', part, embed: (value) => value });
  if (def.type === 'pipe') return [same(def.in)];
  if ('innerType' in def) return [same(def.innerType)];
  switch (def.type) {
    case 'union':
      return optionsOf(def).map(same);
    case 'array':
      return [{ name: '[]', part: def.element, embed: (value) => [value] }];
    case 'tuple':
      return def.items.map((part, at) => ({
        name: `[${at}]`,
        part,
        embed: (value) => def.items.map((item, n) => (n === at ? value : smallestValue(item))),
      }));
    case 'record':
      return [
        {
          name: '{key}',
          part: def.keyType,
          embed: (key) => ({ [String(key)]: smallestValue(def.valueType) }),
        },
        { name: '{}', part: def.valueType, embed: (value) => ({ key: value }) },
      ];
    case 'object':
      return Object.entries(def.shape).map(([name, part]) => ({
        name,
        part,
        embed: (value) => ({ ...(smallestValue(schema) as object), [name]: value }),
      }));
    default:
      return [];
  }
}

/** The options of a union. An integer beyond 2^53 is a bigint: beside one, a number has no limit. */
function optionsOf({ options }: z.core.$ZodUnionDef): readonly Schema[] {
  const hasBigint = options.some((option) => typeOf(option) === 'bigint');
  return hasBigint ? options.filter((option) => typeOf(option) !== 'number') : options;
}

/** The type of a value before it is transformed. */
function typeOf(schema: Schema): Def['type'] {
  const def = defOf(schema);
  return def.type === 'pipe' ? typeOf(def.in) : def.type;
}

function valueOfSize(schema: Schema, limit: number | bigint, excess: 0 | 1): unknown {
  const def = defOf(schema);
  if (typeof limit === 'bigint') return limit + BigInt(excess);
  const size = limit + excess;
  switch (def.type) {
    case 'string':
      return jsonSchemaOf(schema).format === 'email'
        ? `${'a'.repeat(size - '@b.test'.length)}@b.test`
        : 'a'.repeat(size);
    case 'array':
      return Array.from({ length: size }, () => smallestValue(def.element));
    case 'record':
      return Object.fromEntries(
        Array.from({ length: size }, (_, at) => [`k${at}`, smallestValue(def.valueType)]),
      );
    case 'object': {
      const smallest = { ...(smallestValue(schema) as object), padding: '' };
      return { ...smallest, padding: 'a'.repeat(size - stringifyJson(smallest).length) };
    }
    default:
      // Beyond 2^53 a number is not exact, its digits are.
      return size > MAX_SAFE ? BigInt(limit) + BigInt(excess) : size;
  }
}

/** A valid value with nothing that could be left out. */
export function smallestValue(schema: Schema): unknown {
  const def = defOf(schema);
  if (def.type === 'pipe') return smallestValue(def.in);
  if ('innerType' in def) return smallestValue(def.innerType);
  switch (def.type) {
    case 'string':
      return smallestText(jsonSchemaOf(schema));
    case 'number':
      return 1;
    case 'bigint':
      return 1n;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'enum':
      return Object.values(def.entries)[0];
    case 'literal':
      return def.values[0];
    case 'array':
      return Array.from({ length: jsonSchemaOf(schema).minItems ?? 0 }, () =>
        smallestValue(def.element),
      );
    case 'tuple':
      return def.items.map(smallestValue);
    case 'record':
      return {};
    case 'union':
      return def.options[0] && smallestValue(def.options[0]);
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape)
          .filter(([, part]) => !(part as z.ZodType).safeParse(undefined).success)
          .map(([name, part]) => [name, smallestValue(part)]),
      );
    default:
      throw new Error(`No smallest value of ${def.type}`);
  }
}

function smallestText({ format, minLength = 1 }: z.core.JSONSchema.BaseSchema): string {
  if (format === 'uuid') return '11111111-1111-4111-8111-111111111111';
  return format === 'email' ? 'a@b.test' : 'a'.repeat(minLength);
}
