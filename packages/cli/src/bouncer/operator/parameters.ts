import { choiceFlag, type Parameter, switchFlag } from '@bellhop/bot-cli/command-line';
import { z } from 'zod';

import { durationText, parseDuration, parseTime } from './typed-times.ts';

interface TypedFlag {
  readonly name: string;
  readonly brief: string;
  readonly placeholder: string;
  readonly parse: (text: string) => number;
}
/** Parameters in milliseconds, which nobody types. */
const typed: Readonly<Record<string, TypedFlag>> = {
  from_ms: {
    name: 'from',
    brief: 'From this time of UTC on, or so long ago; default: 24 hours before the end',
    placeholder: 'time',
    parse: parseTime,
  },
  to_ms: {
    name: 'to',
    brief: 'Until this time of UTC, or so long ago; default: now',
    placeholder: 'time',
    parse: parseTime,
  },
  step_ms: {
    name: 'step',
    brief: 'What is counted together, such as 10m; default: 1h',
    placeholder: 'duration',
    parse: parseDuration,
  },
};

/** `server_uuid` as the command line has it: `--server-uuid`. */
export const flagName = (name: string): string =>
  typed[name]?.name ?? name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

export const briefOf = (name: string, schema: z.core.$ZodType): string =>
  z.globalRegistry.get(schema)?.description ?? name.replaceAll('_', ' ');

/** The schema without what makes it optional. */
function coreOf(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodOptional
    ? coreOf(schema.unwrap())
    : schema;
}

const isOptional = (schema: z.core.$ZodType) => z.safeParse(schema, undefined).success;

/** Whether it is a text that has to be given: an argument of the command. */
export const isText = (schema: z.core.$ZodType): boolean =>
  coreOf(schema)._zod.def.type === 'string' && !isOptional(schema);

/** Whether the values are given as words such as `realm_devices=1000`. */
export const isPairs = (schema: z.core.$ZodType): boolean => coreOf(schema) instanceof z.ZodRecord;

/** The field of an answer that has no other, if it is a list of objects. */
export function rowsOf({ shape }: z.ZodObject): string | undefined {
  const [only, ...others] = Object.keys(shape);
  const list = only === undefined ? undefined : coreOf(shape[only] as z.core.$ZodType);
  const isRows = list instanceof z.ZodArray && coreOf(list.element) instanceof z.ZodObject;
  return others.length === 0 && isRows ? only : undefined;
}

/** What to write for a value of this schema. */
function adviceFor(core: z.core.$ZodType, problem: string | undefined): string {
  if (core instanceof z.ZodBoolean) return 'write true or false';
  if (core instanceof z.ZodNumber) {
    const [least, most] = [core.minValue ?? Number.NEGATIVE_INFINITY, core.maxValue ?? 0];
    if (!Number.isSafeInteger(least - 1)) return 'write a whole number';
    return Number.isSafeInteger(most + 1)
      ? `write a whole number from ${least} to ${most}`
      : `write a whole number, ${least} or more`;
  }
  if (core instanceof z.ZodUUID)
    return 'write an ID (UUID), such as 0f8fad5b-d9cb-469f-a165-70867728950e';
  if (core instanceof z.ZodString && !problem?.startsWith('must'))
    return `write 1 to ${core.maxLength} characters`;
  return problem ?? 'it has a wrong value';
}

/** Parses the text of a parameter by its schema. Throws a SyntaxError. */
const parserOf = (schema: z.core.$ZodType) => (text: string) => {
  const core = coreOf(schema);
  const isWritten = core instanceof z.ZodNumber || core instanceof z.ZodBoolean;
  const value: unknown = isWritten && /^(-?\d+|true|false)$/.test(text) ? JSON.parse(text) : text;
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  throw new SyntaxError(adviceFor(core, parsed.error.issues[0]?.message));
};

function placeholderOf(core: z.core.$ZodType): string {
  if (core instanceof z.ZodBoolean) return 'true|false';
  if (core instanceof z.ZodUUID) return 'ID';
  return core._zod.def.type === 'string' ? 'text' : core._zod.def.type;
}

/** The flag of a parameter of the contract. */
export function flagOf(name: string, schema: z.core.$ZodType): Parameter<unknown> {
  const optional = isOptional(schema);
  const own = typed[name];
  if (own) {
    const { brief, placeholder } = own;
    const parse = (text: string) => {
      const value = own.parse(text);
      if (z.safeParse(schema, value).success) return value;
      const { minValue, maxValue } = coreOf(schema) as z.ZodNumber;
      throw new SyntaxError(
        own.parse === parseDuration
          ? `write how long, from ${durationText(minValue ?? 0)} to ${durationText(maxValue ?? 0)}`
          : 'the time is out of range',
      );
    };
    return { kind: 'parsed', parse, brief, placeholder, optional };
  }
  const brief = briefOf(name, schema);
  const core = coreOf(schema);
  if (core instanceof z.ZodBoolean && optional) return switchFlag(brief);
  if (core instanceof z.ZodEnum)
    return { ...choiceFlag(brief, core.options.map(String)), optional };
  const placeholder = placeholderOf(core);
  return { kind: 'parsed', parse: parserOf(schema), brief, placeholder, optional };
}

/** The argument of a parameter in the path. */
export const argumentOf = (name: string, schema: z.core.$ZodType): Parameter<unknown> => ({
  placeholder: name.replaceAll('_', '-').replace(/-(uuid|id)$/, ''),
  brief: briefOf(name, schema),
  parse: parserOf(schema),
});

/** `name=value` words as an object; whole numbers become numbers. Throws a SyntaxError. */
export function pairsOf(
  schema: z.core.$ZodType,
  words: readonly string[],
): Readonly<Record<string, unknown>> {
  const pairs = new Map<string, unknown>();
  for (const word of words) {
    const [, name, text] = /^([^=]+)=(.+)$/s.exec(word) ?? [];
    if (name === undefined || text === undefined)
      throw new SyntaxError(`write NAME=VALUE instead of ${word}`);
    if (pairs.has(name)) throw new SyntaxError(`${name} is given twice`);
    const value = /^\d+$/.test(text) ? Number(text) : text;
    const parsed = z.safeParse(schema, { [name]: value });
    const [issue] = parsed.error?.issues ?? [];
    if (issue?.code === 'too_big') throw new SyntaxError(`${word}: the number is too large`);
    if (issue) throw new SyntaxError(`${word}: ${issue.message}`);
    pairs.set(name, value);
  }
  return Object.fromEntries(pairs);
}
