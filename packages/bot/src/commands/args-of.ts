import type { ArgumentType, BuiltInValues, CustomTypes } from './argument-types.ts';

export type NoTypes = Readonly<Record<never, never>>;

/**
 * What a usage's arguments are, by name: `deploy <env:staging|prod> [ref:string=main]` has
 * `{ env: 'staging' | 'prod'; ref: string }`. Names with hyphens become camel case; what may be
 * left out and has no default may be undefined; a switch is a boolean.
 */
export type ArgsOf<U extends string, T extends CustomTypes = NoTypes> = string extends U
  ? Record<string, unknown>
  : Read<U, T> extends infer Args
    ? Args extends Fault
      ? never
      : { [K in keyof Args]: Args[K] }
    : never;

/** The usage itself where it can be read, otherwise a text that says what is wrong with it. */
export type CheckedUsage<U extends string, T extends CustomTypes = NoTypes> = string extends U
  ? U
  : Read<U, T> extends Fault<infer Message>
    ? Message
    : U;

interface Fault<Message extends string = string> {
  readonly fault: Message;
}

// How far a usage has been read: what may still follow is less and less.
type Stage = 'start' | 'name' | 'required' | 'optional' | 'rest';

type Read<U extends string, T> = Walk<U, T, unknown, 'start'>;

type Walk<S extends string, T, Args, At extends Stage> = S extends ` ${infer Rest}`
  ? Walk<Rest, T, Args, At>
  : S extends ''
    ? At extends 'start'
      ? Fault<'A usage starts with the name of the command'>
      : Args
    : S extends `<${infer Rest}`
      ? Rest extends `${infer Body}>${infer After}`
        ? Bracket<Body, After, T, Args, At, true>
        : Fault<`A < without its > in ${S}`>
      : S extends `[${infer Rest}`
        ? Rest extends `${infer Body}]${infer After}`
          ? Bracket<Body, After, T, Args, At, false>
          : Fault<`A [ without its ] in ${S}`>
        : S extends `${infer Word} ${infer After}`
          ? Bare<Word, After, T, Args, At>
          : Bare<S, '', T, Args, At>;

type Bare<
  Word extends string,
  After extends string,
  T,
  Args,
  At extends Stage,
> = Word extends `--${string}`
  ? Bracket<Word, After, T, Args, At, false>
  : At extends 'start' | 'name'
    ? Walk<After, T, Args, 'name'>
    : Fault<`The word ${Word} follows an argument: the name comes first`>;

type Bracket<
  Body extends string,
  After extends string,
  T,
  Args,
  At extends Stage,
  Required extends boolean,
> = At extends 'start'
  ? Fault<'A usage starts with the name of the command'>
  : Body extends `--${infer Flag}`
    ? Add<FlagParameter<Flag, T, Required>, After, T, Args, At extends 'name' ? 'required' : At>
    : At extends 'rest'
      ? Fault<`${Body} follows an argument that takes all the rest`>
      : Required extends false
        ? Add<Parameter<Body, T, false, false>, After, T, Args, Following<Body, 'optional'>>
        : At extends 'optional'
          ? Fault<`${Body} must be given but follows an argument that may be left out`>
          : Add<Parameter<Body, T, true, false>, After, T, Args, Following<Body, 'required'>>;

type Following<Body extends string, Otherwise extends Stage> = Body extends
  | `${string}...`
  | `${string}...=${string}`
  ? 'rest'
  : Otherwise;

type Add<Found, After extends string, T, Args, At extends Stage> = Found extends Fault
  ? Found
  : keyof Found & keyof Args extends never
    ? Walk<After, T, Args & Found, At>
    : Fault<`There are two arguments called ${keyof Found & keyof Args & string}`>;

type FlagParameter<
  Body extends string,
  T,
  Required extends boolean,
> = Body extends `${infer Named}...${string}`
  ? Named extends `${string}:${string}`
    ? Parameter<Body, T, Required, true>
    : Fault<`--${Body} takes one value, or a list as in --name:string...`>
  : Parameter<Body, T, Required, true>;

type Parameter<
  Body extends string,
  T,
  Required extends boolean,
  Flag extends boolean,
> = Body extends `${infer Head}=${infer Default}`
  ? Required extends true
    ? Fault<`${Body} has a default: write [${Body}]`>
    : Head extends `${infer Named}...`
      ? Many<Named, T, Body, never, Default>
      : One<Head, T, Body, Flag extends true ? boolean : never, never, Default>
  : Body extends `${infer Named}...`
    ? Many<Named, T, Body, Required extends true ? never : undefined, undefined>
    : One<
        Body,
        T,
        Body,
        Flag extends true ? boolean : never,
        Required extends true ? never : undefined,
        undefined
      >;

// A flag without a type is a switch; a switch that is not set is off.
type One<
  Head,
  T,
  Body extends string,
  Switch,
  Absent,
  Default,
> = Head extends `${infer Name}:${infer Type}`
  ? Type extends 'boolean'
    ? Entry<Name, boolean, Body, [Switch] extends [never] ? Absent : never>
    : Typed<Name, ValueOf<Type, T, Body>, Body, Absent, Default>
  : Head extends `${infer Name}`
    ? [Switch] extends [never]
      ? Entry<Name, string, Body, Absent>
      : Default extends string
        ? Fault<`${Body} is a switch and takes no default`>
        : Entry<Name, boolean, Body, never>
    : never;

type Many<
  Named,
  T,
  Body extends string,
  Absent,
  Default,
> = Named extends `${infer Name}:${infer Type}`
  ? Default extends string
    ? Fault<`${Body} is a list and takes no default`>
    : ValueOf<Type, T, Body> extends infer Value
      ? [Value] extends [Fault]
        ? Value
        : Entry<Name, Value[], Body, never>
      : never
  : Named extends `${infer Name}`
    ? Entry<Name, string, Body, Absent>
    : never;

type Typed<Name extends string, Value, Body extends string, Absent, Default> = [Value] extends [
  Fault,
]
  ? Value
  : Body extends `${string}|${string}`
    ? Default extends string
      ? Default extends Value
        ? Entry<Name, Value, Body, Absent>
        : Fault<`The default ${Default} is not among the choices of ${Body}`>
      : Entry<Name, Value, Body, Absent>
    : Entry<Name, Value, Body, Absent>;

type Entry<Name extends string, Value, Body extends string, Absent> = Name extends
  | ''
  | `${string}${' ' | '<' | '[' | '|'}${string}`
  ? Fault<`${Body} has no proper name: write name or name:type`>
  : { [K in Key<Name>]: Value | Absent };

type Key<Name extends string> = Name extends `${infer Long}/-${string}` ? Camel<Long> : Camel<Name>;

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

type ValueOf<
  Type extends string,
  T,
  Body extends string,
> = Type extends `${infer One}|${infer More}`
  ? Choices<More, One>
  : Type extends keyof BuiltInValues
    ? BuiltInValues[Type]
    : Type extends keyof T
      ? CustomValue<T[Type]>
      : Fault<`There is no type ${Type} for ${Body}`>;

type Choices<S extends string, Found> = S extends `${infer One}|${infer More}`
  ? Choices<More, Found | One>
  : Found | S;

type CustomValue<T> = T extends (text: string) => infer Value
  ? Exclude<Value, undefined>
  : T extends ArgumentType<infer Value>
    ? Value
    : never;
