declare const value: unique symbol;

/** A flag or an argument of a command, which gets its value as a `T`. The other keys are Stricli's. */
export interface Parameter<T> {
  readonly brief: string;
  readonly placeholder?: string;
  readonly proposeCompletions?: (partial: string) => readonly string[] | Promise<string[]>;
  readonly [key: string]: unknown;
  readonly [value]?: T;
}
export type ValueOf<P> = P extends Parameter<infer T> ? T : never;

export type Flags = Readonly<Record<string, Parameter<unknown>>>;
export type OptionalIn<F> = {
  [K in keyof F]: undefined extends ValueOf<F[K]> ? K : never;
}[keyof F];
/** The values that a command gets for its flags. */
export type FlagValues<F extends Flags> = {
  readonly [K in Exclude<keyof F, OptionalIn<F>>]: ValueOf<F[K]>;
} & { readonly [K in OptionalIn<F>]?: Exclude<ValueOf<F[K]>, undefined> };

/** The arguments in their order, or any number of the same. */
export type Arguments =
  | readonly Parameter<unknown>[]
  | { readonly each: Parameter<unknown>; readonly minimum?: number };
/** The values that a command gets for its arguments. */
export type ArgumentValues<A extends Arguments> = A extends { readonly each: infer P }
  ? ValueOf<P>[]
  : { -readonly [K in keyof A]: ValueOf<A[K]> };

/** A flag that is off unless it is given. */
export const switchFlag = (brief: string): Parameter<boolean> => ({
  kind: 'boolean',
  brief,
  default: false,
  withNegated: false,
});

/**
 * A flag with a value, as `parse` returns it; `parse` throws an error that says what to write. Without a
 * default, which is a text, it is undefined unless it is given.
 */
export function valueFlag<T>(
  brief: string,
  placeholder: string,
  parse: (text: string) => T,
): Parameter<T | undefined>;
export function valueFlag<T>(
  brief: string,
  placeholder: string,
  parse: (text: string) => T,
  byDefault: string,
): Parameter<T>;
export function valueFlag(
  brief: string,
  placeholder: string,
  parse: (text: string) => unknown,
  byDefault?: string,
): Parameter<unknown> {
  const flag = { kind: 'parsed', parse, brief, placeholder };
  return byDefault === undefined ? { ...flag, optional: true } : { ...flag, default: byDefault };
}

/** A flag with a text. */
export const textFlag = (brief: string, placeholder: string): Parameter<string | undefined> =>
  valueFlag(brief, placeholder, String);

/** A flag that must be given, as `parse` returns it. */
export const requiredFlag = <T>(
  brief: string,
  placeholder: string,
  parse: (text: string) => T,
): Parameter<T> => ({
  kind: 'parsed',
  parse,
  brief,
  placeholder,
});

/** A flag with a text that may be given several times. */
export const listFlag = (
  brief: string,
  placeholder: string,
): Parameter<readonly string[] | undefined> => ({
  ...valueFlag(brief, placeholder, (text) => [text]),
  parse: String,
  variadic: true,
});

/** A flag with one of several texts. */
export function choiceFlag<const T extends string>(
  brief: string,
  values: readonly T[],
): Parameter<T | undefined>;
export function choiceFlag<const T extends string>(
  brief: string,
  values: readonly T[],
  byDefault: NoInfer<T>,
): Parameter<T>;
export function choiceFlag(
  brief: string,
  values: readonly string[],
  byDefault?: string,
): Parameter<unknown> {
  const flag = { kind: 'enum', values, brief };
  return byDefault === undefined ? { ...flag, optional: true } : { ...flag, default: byDefault };
}

/** An argument, as `parse` returns it. */
export function argument(placeholder: string, brief: string): Parameter<string>;
export function argument<T>(
  placeholder: string,
  brief: string,
  parse: (text: string) => T,
): Parameter<T>;
export function argument(
  placeholder: string,
  brief: string,
  parse: (text: string) => unknown = String,
): Parameter<unknown> {
  return { placeholder, brief, parse };
}

/** An argument that may be left out. */
export function optionalArgument(placeholder: string, brief: string): Parameter<string | undefined>;
export function optionalArgument<T>(
  placeholder: string,
  brief: string,
  parse: (text: string) => T,
): Parameter<T | undefined>;
export function optionalArgument(
  placeholder: string,
  brief: string,
  parse: (text: string) => unknown = String,
): Parameter<unknown> {
  return { placeholder, brief, parse, optional: true };
}
