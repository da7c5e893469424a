import type { StandardSchema } from '../sessions/standard-schema.ts';
import type { ArgumentType, BuiltInValues, CustomTypes } from './argument-types.ts';

export type NoTypes = Readonly<Record<never, never>>;

/**
 * The arguments a usage declares, by name: `deploy <env:staging|prod> [ref:string=main]` has
 * `{ env: 'staging' | 'prod'; ref: string }`. Names with hyphens become camel case. An optional
 * argument without a default may be undefined. A switch is a boolean.
 */
export type ArgsOf<U extends string, T extends CustomTypes = NoTypes> = string extends U
  ? Record<string, unknown>
  : ParsedUsage<U, T> extends infer Args
    ? Args extends UsageFault
      ? never
      : { [K in keyof Args]: Args[K] }
    : never;

/** A valid usage as it is; for an invalid one the error message, to which no usage is assignable. */
export type CheckedUsage<U extends string, T extends CustomTypes = NoTypes> = string extends U
  ? U
  : ParsedUsage<U, T> extends UsageFault<infer Message>
    ? Message
    : U;

interface UsageFault<Message extends string = string> {
  readonly fault: Message;
}

// The part of the usage that has been read. Each stage allows fewer kinds of parameters to follow.
type Stage = 'start' | 'name' | 'required' | 'optional' | 'rest';

type ParsedUsage<U extends string, T> = ParsedParts<U, T, unknown, 'start'>;

type ParsedParts<S extends string, T, Args, At extends Stage> = S extends ` ${infer Rest}`
  ? ParsedParts<Rest, T, Args, At>
  : S extends ''
    ? At extends 'start'
      ? UsageFault<'A usage must start with the command name'>
      : Args
    : S extends `<${infer Rest}`
      ? Rest extends `${infer Body}>${infer After}`
        ? ParsedParameter<Body, After, T, Args, At, true>
        : UsageFault<`Missing > in ${S}`>
      : S extends `[${infer Rest}`
        ? Rest extends `${infer Body}]${infer After}`
          ? ParsedParameter<Body, After, T, Args, At, false>
          : UsageFault<`Missing ] in ${S}`>
        : S extends `${infer Word} ${infer After}`
          ? ParsedWord<Word, After, T, Args, At>
          : ParsedWord<S, '', T, Args, At>;

type ParsedWord<
  Word extends string,
  After extends string,
  T,
  Args,
  At extends Stage,
> = Word extends `--${string}`
  ? ParsedParameter<Word, After, T, Args, At, false>
  : At extends 'start' | 'name'
    ? ParsedParts<After, T, Args, 'name'>
    : UsageFault<`The command name must come before all arguments, but ${Word} follows one`>;

type ParsedParameter<
  Body extends string,
  After extends string,
  T,
  Args,
  At extends Stage,
  Required extends boolean,
> = At extends 'start'
  ? UsageFault<'A usage must start with the command name'>
  : Body extends `--${infer Flag}`
    ? WithEntry<FlagEntry<Flag, T, Required>, After, T, Args, At extends 'name' ? 'required' : At>
    : At extends 'rest'
      ? UsageFault<`${Body} follows an argument that takes the rest of the text`>
      : Required extends false
        ? WithEntry<
            ParameterEntry<Body, T, false, false>,
            After,
            T,
            Args,
            NextStage<Body, 'optional'>
          >
        : At extends 'optional'
          ? UsageFault<`The required argument ${Body} follows an optional one`>
          : WithEntry<
              ParameterEntry<Body, T, true, false>,
              After,
              T,
              Args,
              NextStage<Body, 'required'>
            >;

type NextStage<Body extends string, Otherwise extends Stage> = Body extends
  | `${string}...`
  | `${string}...=${string}`
  ? 'rest'
  : Otherwise;

type WithEntry<Found, After extends string, T, Args, At extends Stage> = Found extends UsageFault
  ? Found
  : keyof Found & keyof Args extends never
    ? ParsedParts<After, T, Args & Found, At>
    : UsageFault<`Two arguments have the name ${keyof Found & keyof Args & string}`>;

type FlagEntry<
  Body extends string,
  T,
  Required extends boolean,
> = Body extends `${infer Declared}...${string}`
  ? Declared extends `${string}:${string}`
    ? ParameterEntry<Body, T, Required, true>
    : UsageFault<`--${Body} takes one value, or a list as in --name:string...`>
  : ParameterEntry<Body, T, Required, true>;

type ParameterEntry<
  Body extends string,
  T,
  Required extends boolean,
  Flag extends boolean,
> = Body extends `${infer Head}=${infer Default}`
  ? Required extends true
    ? UsageFault<`The required argument ${Body} has a default: write [${Body}]`>
    : Head extends `${infer Declared}...`
      ? RestEntry<Declared, T, Body, never, Default>
      : SingleEntry<Head, T, Body, Flag extends true ? boolean : never, never, Default>
  : Body extends `${infer Declared}...`
    ? RestEntry<Declared, T, Body, Required extends true ? never : undefined, undefined>
    : SingleEntry<
        Body,
        T,
        Body,
        Flag extends true ? boolean : never,
        Required extends true ? never : undefined,
        undefined
      >;

// A flag without a type is a switch, and false by default.
type SingleEntry<
  Head,
  T,
  Body extends string,
  Switch,
  Absent,
  Default,
> = Head extends `${infer Name}:${infer Type}`
  ? Type extends 'boolean'
    ? Entry<Name, boolean, Body, [Switch] extends [never] ? Absent : never>
    : TypedEntry<Name, TypeValue<Type, T, Body>, Body, Absent, Default>
  : Head extends `${infer Name}`
    ? [Switch] extends [never]
      ? Entry<Name, string, Body, Absent>
      : Default extends string
        ? UsageFault<`The switch ${Body} takes no default`>
        : Entry<Name, boolean, Body, never>
    : never;

type RestEntry<
  Declared,
  T,
  Body extends string,
  Absent,
  Default,
> = Declared extends `${infer Name}:${infer Type}`
  ? Default extends string
    ? UsageFault<`The list ${Body} takes no default`>
    : TypeValue<Type, T, Body> extends infer Value
      ? [Value] extends [UsageFault]
        ? Value
        : Entry<Name, Value[], Body, never>
      : never
  : Declared extends `${infer Name}`
    ? Entry<Name, string, Body, Absent>
    : never;

type TypedEntry<Name extends string, Value, Body extends string, Absent, Default> = [
  Value,
] extends [UsageFault]
  ? Value
  : Body extends `${string}|${string}`
    ? Default extends string
      ? Default extends Value
        ? Entry<Name, Value, Body, Absent>
        : UsageFault<`The default ${Default} is not a choice of ${Body}`>
      : Entry<Name, Value, Body, Absent>
    : Body extends `${string}:${keyof NumberTexts}=${string}`
      ? Body extends `${string}:${infer Type extends keyof NumberTexts}=${infer Text}`
        ? Text extends NumberTexts[Type]
          ? Entry<Name, Value, Body, Absent>
          : UsageFault<`The default ${Text} of ${Body} is no ${Type}`>
        : never
      : Entry<Name, Value, Body, Absent>;

/** The texts of numbers, by the names of their types. */
interface NumberTexts {
  int: `${bigint}`;
  number: `${number}`;
}

type Entry<Name extends string, Value, Body extends string, Absent> = Name extends
  | ''
  | `${string}${' ' | '<' | '[' | '|'}${string}`
  ? UsageFault<`${Body} has no valid name: write name or name:type`>
  : { [K in ArgKey<Name>]: Value | Absent };

type ArgKey<Name extends string> = Name extends `${infer Long}/-${string}`
  ? CamelCase<Long>
  : CamelCase<Name>;

type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

type TypeValue<
  Type extends string,
  T,
  Body extends string,
> = Type extends `${infer First}|${infer Others}`
  ? ChoiceUnion<Others, First>
  : Type extends keyof BuiltInValues
    ? BuiltInValues[Type]
    : Type extends keyof T
      ? CustomValue<T[Type]>
      : UsageFault<`Unknown type ${Type} in ${Body}`>;

type ChoiceUnion<S extends string, Found> = S extends `${infer First}|${infer Others}`
  ? ChoiceUnion<Others, Found | First>
  : Found | S;

// A schema first: those of arktype are functions too.
type CustomValue<T> =
  T extends StandardSchema<infer Value>
    ? Exclude<Value, undefined>
    : T extends (text: string) => infer Value
      ? Exclude<Value, undefined>
      : T extends ArgumentType<infer Value>
        ? Value
        : never;
