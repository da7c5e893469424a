import { z } from 'zod';

import { choiceFlag, type Parameter, switchFlag } from '../../command-line/flags.ts';

/** `server_uuid` as the command line has it: `--server-uuid`. */
export const flagName = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const briefOf = (name: string, schema: z.core.$ZodType): string =>
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

/** Parses the text of a parameter by its schema. Throws a SyntaxError. */
const parserOf = (schema: z.core.$ZodType) => (text: string) => {
  const core = coreOf(schema);
  const isWritten = core instanceof z.ZodNumber || core instanceof z.ZodBoolean;
  const value: unknown = isWritten && /^(-?\d+|true|false)$/.test(text) ? JSON.parse(text) : text;
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  throw new SyntaxError(parsed.error.issues[0]?.message ?? 'has a wrong value');
};

/** The flag of a parameter of the contract. */
export function flagOf(name: string, schema: z.core.$ZodType): Parameter<unknown> {
  const brief = briefOf(name, schema);
  const core = coreOf(schema);
  const isRequired = !isOptional(schema);
  if (core instanceof z.ZodBoolean && !isRequired) return switchFlag(brief);
  if (core instanceof z.ZodEnum)
    return { ...choiceFlag(brief, core.options.map(String)), optional: !isRequired };
  const placeholder = core._zod.def.type === 'string' ? 'text' : core._zod.def.type;
  return { kind: 'parsed', parse: parserOf(schema), brief, placeholder, optional: !isRequired };
}

/** The argument of a parameter in the path. */
export const argumentOf = (name: string, schema: z.core.$ZodType): Parameter<unknown> => ({
  placeholder: name.replaceAll('_', '-').replace(/-(uuid|id)$/, ''),
  brief: briefOf(name, schema),
  parse: parserOf(schema),
});

/** `name=value` words as an object; whole numbers become numbers. Throws a SyntaxError. */
export const pairsOf = (words: readonly string[]): Record<string, string | number> =>
  Object.fromEntries(
    words.map((word) => {
      const [name = '', value] = word.split('=', 2);
      if (value === undefined || value === '')
        throw new SyntaxError(`write NAME=VALUE instead of ${word}`);
      return [name, /^\d+$/.test(value) ? Number(value) : value];
    }),
  );
