import type { z } from 'zod';

import { jsonDepth, parseJson, stringifyJson } from '../values/json.ts';
import { unstorableText } from '../values/unstorable-text.ts';
import type { AskOf, Endpoint, ParamsOf } from './endpoint.ts';
import { ApiError, badRequest, missingParameter } from './errors.ts';
import { pathVariables } from './route.ts';

/**
 * How a parameter is sent. `text`: as it is. `json`: as JSON text. `either`: as JSON text, or as
 * plain text that is not valid JSON (channel names, anchors, URLs that some clients quote).
 * `bigint`: as decimal digits, read exactly.
 */
export type Form = 'text' | 'json' | 'either' | 'bigint';

/** Marks a text parameter that clients may send as plain text or as a JSON string. */
export const quotable = <S extends z.ZodType>(schema: S): S => schema.meta({ quotable: true }) as S;

const MAX_DEPTH = 20;

function formOf(schema: z.core.$ZodType): Form {
  const typed = schema as z.core.$ZodTypes & { meta?: () => Record<string, unknown> | undefined };
  if (typed.meta?.()?.['quotable']) return 'either';
  const { def } = typed._zod;
  switch (def.type) {
    case 'string':
    case 'template_literal':
      return 'text';
    case 'bigint':
      return 'bigint';
    case 'enum':
      return Object.values(def.entries).every((value) => typeof value === 'string')
        ? 'text'
        : 'json';
    case 'literal':
      return def.values.every((value) => typeof value === 'string') ? 'text' : 'json';
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
    case 'catch':
      return formOf(def.innerType);
    case 'pipe':
      return formOf(def.in);
    case 'union': {
      const forms = new Set(def.options.map((option) => formOf(option)));
      return forms.size === 1 ? ([...forms][0] ?? 'json') : 'either';
    }
    default:
      return 'json';
  }
}

/** Whether null stands for "not given": the parameter may be missing and has no other use for null. */
const nullIsMissing = (schema: z.core.$ZodType): boolean => {
  const typed = schema as z.ZodType;
  const missing = typed.safeParse(undefined);
  return missing.success && missing.data === undefined && !typed.safeParse(null).success;
};

/** How the parameters of an endpoint are written. */
export interface ParameterPlan {
  readonly forms: ReadonlyMap<string, Form>;
  /** The parameters for which null stands for "not given". */
  readonly omittable: ReadonlySet<string>;
  readonly inPath: ReadonlySet<string>;
}
const plans = new WeakMap<Endpoint, ParameterPlan>();

function planOf(endpoint: Endpoint): ParameterPlan {
  let plan = plans.get(endpoint);
  if (!plan) {
    const schemas = Object.entries(endpoint.params.shape);
    plan = {
      forms: new Map(schemas.map(([name, schema]) => [name, formOf(schema)])),
      omittable: new Set(
        schemas.filter(([, schema]) => nullIsMissing(schema)).map(([name]) => name),
      ),
      inPath: new Set(pathVariables(endpoint.route)),
    };
    plans.set(endpoint, plan);
  }
  return plan;
}

/** How each parameter of an endpoint is sent. */
export const formsOf = (endpoint: Endpoint): ReadonlyMap<string, Form> => planOf(endpoint).forms;

/** The parameters of a request: fields (those of the body first) and the variables of the path. */
export interface RequestInput {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly path: Readonly<Record<string, string>>;
}
export interface DecodedParams {
  readonly params: Record<string, unknown>;
  /** Names of parameters that the endpoint does not support or use (spec, Conventions 2). */
  readonly ignored: readonly string[];
}

/**
 * Decodes the parameters of a request and fills in defaults; null for an optional parameter means
 * that it is not given. Throws REQUEST_VARIABLE_MISSING, REQUEST_CONFUSING_VAR (a parameter and its
 * alias), or BAD_REQUEST with the name of a parameter that is not JSON or the path of a value of the
 * wrong type.
 */
export function decodeParams(endpoint: Endpoint, received: RequestInput): DecodedParams {
  const { forms, omittable, inPath } = planOf(endpoint);
  const values: Record<string, unknown> = {};
  const ignored = new Set<string>();
  const arrivedAs = new Map<string, string>();
  const meaningless = endpoint.meaningless(received.fields);
  for (const [field, value] of Object.entries(received.fields)) {
    const alias = Object.hasOwn(endpoint.aliases, field) ? endpoint.aliases[field] : undefined;
    const name = alias ?? field;
    const form = forms.get(name);
    if (form === undefined || inPath.has(name)) {
      ignored.add(field);
      continue;
    }
    const other = arrivedAs.get(name);
    if (other !== undefined) throw confusing(other, field);
    arrivedAs.set(name, field);
    if (meaningless.includes(name)) continue;
    // The bouncer removes null bytes from announcements, so that one name does not fail them all.
    const isChecked = endpoint.access !== 'server';
    if (isChecked) requireStorable(name, value);
    const decoded =
      endpoint.body === 'form' && typeof value === 'string' ? read(form, name, value) : value;
    if (isChecked && decoded !== value) requireStorable(name, decoded);
    if (decoded !== null || !omittable.has(name)) values[name] = decoded;
  }
  for (const name of inPath) {
    const text = received.path[name];
    if (text === undefined) continue;
    const form = forms.get(name) ?? 'text';
    requireStorable(name, text);
    values[name] = read(form, name, text);
    requireStorable(name, values[name]);
  }
  for (const name of endpoint.unused(values)) {
    const field = arrivedAs.get(name);
    if (field !== undefined) ignored.add(field);
  }
  const params = parseParams(endpoint, values);
  return { params, ignored: Object.keys(received.fields).filter((field) => ignored.has(field)) };
}

/**
 * Checks parameters and fills in defaults. Throws REQUEST_VARIABLE_MISSING, or BAD_REQUEST with the
 * path of a wrong value.
 */
export function parseParams<E extends Endpoint>(
  endpoint: E,
  values: Record<string, unknown>,
): ParamsOf<E> {
  const parsed = endpoint.params.safeParse(values);
  if (parsed.success) return parsed.data as ParamsOf<E>;
  throw refusal(sizeIssue(parsed.error.issues[0]), values);
}

/** Throws BAD_REQUEST for text that PostgreSQL cannot store. */
function requireStorable(name: string, value: unknown): void {
  const found = unstorableText(value);
  if (found) throw badRequest(`${name} must not contain ${found}`, { var_name: name });
}

const confusing = (first: string, second: string) =>
  new ApiError('REQUEST_CONFUSING_VAR', {
    message: `Send either '${first}' or '${second}', not both`,
    data: { var_name1: first, var_name2: second },
  });

/** Matches every JSON text. Other text is not parsed: throwing a parser's error is slow. */
const mayBeJson = /^\s*(?:[[{"\d-]|(?:true|false|null)\s*$)/;

function read(form: Form, name: string, text: string): unknown {
  if (form === 'text') return text;
  if (form === 'either' && !mayBeJson.test(text)) return text;
  if (form === 'bigint' && /^\s*-?\d{1,20}\s*$/.test(text)) return BigInt(text.trim());
  if (text.length > 2 && jsonDepth(text) > MAX_DEPTH)
    throw badRequest(`${name} nests more than ${MAX_DEPTH} levels deep`, { var_name: name });
  const value = parsed(form, name, text);
  // Any character of a key may be escaped.
  if ((text.includes('__proto__') || text.includes('\\u')) && hasProtoKey(value))
    throw badRequest(`${name} must not contain the key __proto__`, { var_name: name });
  return value;
}

function parsed(form: Form, name: string, text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    if (form === 'either') return text;
    throw badRequest(`${name} is not valid JSON`, { var_name: name });
  }
}

/** Whether an object in a value has a key that schemas of records leave out without an error. */
const hasProtoKey = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '__proto__') || Object.values(value).some(hasProtoKey));

/**
 * Returns the nested issue of a union or of a map's key which says that a value is too big; else
 * the issue itself. For a text that is too long, a union's own issue only says that no option fits.
 */
function sizeIssue(issue: z.core.$ZodIssue | undefined): z.core.$ZodIssue | undefined {
  let inner: z.core.$ZodIssue[] = [];
  if (issue?.code === 'invalid_union') inner = issue.errors.flat();
  if (issue?.code === 'invalid_key') inner = issue.issues;
  return (
    inner
      .map((one) => sizeIssue({ ...one, path: [...(issue?.path ?? []), ...one.path] }))
      .find((one) => one?.code === 'too_big' || one?.code === 'custom') ?? issue
  );
}

function refusal(issue: z.core.$ZodIssue | undefined, values: Record<string, unknown>): ApiError {
  const [name, ...rest] = issue?.path ?? [];
  const variable = String(name ?? '');
  if (rest.length === 0 && variable && values[variable] === undefined)
    return missingParameter(variable);
  const path = [
    variable,
    ...rest.map((key) => (typeof key === 'number' ? `[${key}]` : `["${String(key)}"]`)),
  ];
  return badRequest(`${path.join('')}: ${problemOf(issue)}`, { var_name: variable });
}

/** The error of a value, in words for people. */
function problemOf(issue: z.core.$ZodIssue | undefined): string {
  // parseJson reads an integer outside the safe range as a bigint.
  if (issue?.code === 'invalid_type' && issue.message.endsWith('received bigint'))
    return `expected a number between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}`;
  return issue?.message ?? 'invalid value';
}

/** The path and the fields of a request, as a client sends them. */
export interface Encoded {
  readonly path: string;
  readonly fields: [name: string, text: string][];
}

/**
 * Encodes parameters for `decodeParams`. Throws BAD_REQUEST for a parameter of the path that no address can
 * have: nothing, `.` and `..`.
 */
export const encodeParams = <E extends Endpoint>(
  endpoint: E,
  path: string,
  params: AskOf<E>,
): Encoded => encodeForms(planOf(endpoint), path, params);

/** As `encodeParams`, given how each is sent and which are in the path. */
export function encodeForms(
  { forms, inPath }: Pick<ParameterPlan, 'forms' | 'inPath'>,
  path: string,
  params: object,
): Encoded {
  const given = params as Readonly<Record<string, unknown>>;
  const written = (name: string, value: unknown) =>
    typeof value === 'string' && forms.get(name) === 'text' ? value : stringifyJson(value);
  return {
    path: path.replace(/\{(\w+)\}/g, (_braces, name: string) =>
      pathSegment(name, written(name, given[name])),
    ),
    fields: Object.entries(given)
      .filter(([name, value]) => value !== undefined && !inPath.has(name))
      .map(([name, value]) => [name, written(name, value)]),
  };
}

/**
 * Programs on the way, `fetch` first, take `.` and `..` out of a path, also as `%2e`: what is meant to delete
 * one thing would ask for another one.
 */
function pathSegment(name: string, text: string): string {
  if (text !== '' && text !== '.' && text !== '..') return encodeURIComponent(text);
  throw badRequest(`${name} must not be ${text === '' ? 'empty' : `"${text}"`}`, {
    var_name: name,
  });
}
