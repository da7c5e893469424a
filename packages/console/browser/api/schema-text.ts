import type { Schema } from './openapi-document.ts';

const UNLIMITED = 2 ** 53 - 1;

/** The type of a value in a few words: `list of integer`, `"direct" or "channel"`. */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? '';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return either(schema.enum.map((one) => JSON.stringify(one)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return either([...new Set(choices.map(typeText))]);
  if (schema.type === 'array') return `list of ${typeText(schema.items ?? {})}`;
  if (schema.type === 'object') {
    const names = Object.keys(schema.properties ?? {});
    return names.length > 0 ? `object {${names.join(', ')}}` : 'object';
  }
  return schema.type ?? 'any JSON';
}

const either = (all: readonly string[]): string =>
  all.length > 1 ? `${all.slice(0, -1).join(', ')} or ${all.at(-1) ?? ''}` : (all[0] ?? '');

/** The limits of a value: `at most 1,000 characters`. Empty if there are none. */
export function limitText(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, maxItems, maxProperties } = schema;
  const said = [
    minimum !== undefined && Math.abs(minimum) < UNLIMITED && `at least ${number(minimum)}`,
    maximum !== undefined && Math.abs(maximum) < UNLIMITED && `at most ${number(maximum)}`,
    minLength !== undefined && minLength > 0 && `at least ${number(minLength)} characters`,
    maxLength !== undefined && `at most ${number(maxLength)} characters`,
    maxItems !== undefined && `at most ${number(maxItems)} entries`,
    maxProperties !== undefined && `at most ${number(maxProperties)} entries`,
    schema.format !== undefined && schema.format,
  ].filter((one): one is string => typeof one === 'string');
  return said.join(', ');
}

const number = (value: number): string => value.toLocaleString('en');

/** How a person enters a value of a schema. */
export type FieldKind =
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'number' | 'text' | 'json' };

/** The field for a value. A text may be typed as it is; everything else that is no number is JSON. */
export function fieldOf(schema: Schema): FieldKind {
  const choices = schema.anyOf ?? schema.oneOf ?? [schema];
  if (schema.type === 'boolean') return { kind: 'choice', choices: ['true', 'false'] };
  const constants = choices.flatMap(
    (one) => one.enum ?? (one.const === undefined ? [] : [one.const]),
  );
  if (constants.length > 0 && choices.every((one) => one.enum ?? one.const !== undefined))
    return {
      kind: 'choice',
      choices: constants.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))),
    };
  if (schema.type === 'integer' || schema.type === 'number') return { kind: 'number' };
  if (choices.every((one) => one.type === 'string')) return { kind: 'text' };
  return { kind: 'json' };
}
