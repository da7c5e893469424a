import { z } from 'zod';

import type { Variable } from './variable.ts';

/** `meta` of a field that a variable sets, too. */
export interface FieldVariable {
  readonly env: string;
  readonly description: string;
  /** The default as documentation shows it; otherwise the one of the schema. */
  readonly default?: string;
  /** Whether the value may be in a file or a credential of systemd. */
  readonly secret?: boolean;
}

/** The variable of a field, if one sets it. */
export const variableOf = (field: z.core.$ZodType): FieldVariable | undefined => {
  const meta = z.globalRegistry.get(field);
  return typeof meta?.['env'] === 'string' ? (meta as unknown as FieldVariable) : undefined;
};

/** The fields that variables set, in their order, with their variables. */
export const fieldVariables = (entry: z.ZodObject): readonly (readonly [string, FieldVariable])[] =>
  Object.entries(entry.shape).flatMap(([name, field]) => {
    const variable = variableOf(field);
    return variable ? [[name, variable] as const] : [];
  });

/** The variables of the fields, as the documentation and `--help` show them. */
export const variablesOf = (entry: z.ZodObject): Record<string, Variable> =>
  Object.fromEntries(
    fieldVariables(entry).map(([name, { env, description, secret, ...meta }]) => {
      const field = entry.shape[name];
      const value = field instanceof z.ZodDefault ? String(field.def.defaultValue) : meta.default;
      return [
        env,
        {
          description,
          ...(value ? { default: value } : {}),
          ...(secret === true ? { orFile: true } : {}),
        },
      ];
    }),
  );

/** Whether the value is a list, which a variable has separated by commas. */
export const isList = (field: z.core.$ZodType): boolean =>
  field instanceof z.ZodDefault || field instanceof z.ZodOptional
    ? isList(field.unwrap())
    : field instanceof z.ZodArray;

/** The entries of a list that a variable has. */
export const itemsOf = (text: string): readonly string[] =>
  text.split(',').map((item) => item.trim());

const SHOWN_LENGTH = 60;

/** The fault of an entry of such a list, which shows the entry: it must be no secret. */
export function entryFault(items: readonly string[], at: number, fault: string): string {
  const text = items[at] ?? '';
  const shown = text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
  return `entry ${at + 1} (${shown === '' ? 'empty' : JSON.stringify(shown)}) ${fault}`;
}

/** A value that `use` accepts: what it throws is the fault. */
export const usable = <T extends z.ZodType>(schema: T, use: (value: z.output<T>) => unknown): T =>
  schema.check((context) => {
    try {
      use(context.value);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      context.issues.push({ code: 'custom', message, input: undefined });
    }
  });

/** The fault of a value, or of a field of a JSON object, as a plain line. */
export function faultOf({ path, message, code, ...issue }: z.core.$ZodIssue): string {
  if (path.length === 0) return message;
  const field = path.join('.');
  const isMissing = code === 'invalid_type' && !('input' in issue && issue.input !== undefined);
  return isMissing && message.endsWith('received undefined')
    ? `the field ${field} is missing`
    : `the field ${field}: ${message}`;
}
