import { expectTypeOf, test } from 'vitest';

import type { MentionedChannel, MentionedUser } from '../mentions.ts';
import type { ArgsOf, CheckedUsage } from './args-of.ts';

test('ArgsOf gives each required argument the type that the usage declares', () => {
  expectTypeOf<ArgsOf<'deploy <env:staging|prod> [ref:string=main]'>>().toEqualTypeOf<{
    env: 'staging' | 'prod';
    ref: string;
  }>();
  expectTypeOf<
    ArgsOf<'all <a> <b:int> <c:number> <d:boolean> <e:url> <f:email> <g:date> <h:duration> <i:user> <j:channel>'>
  >().toEqualTypeOf<{
    a: string;
    b: number;
    c: number;
    d: boolean;
    e: URL;
    f: string;
    g: Date;
    h: number;
    i: MentionedUser;
    j: MentionedChannel;
  }>();
});

test('ArgsOf adds undefined only to optional arguments without a default', () => {
  expectTypeOf<ArgsOf<'a [b] [c:int] [d:int=3] [e:x|y=x] [f:boolean]'>>().toEqualTypeOf<{
    b: string | undefined;
    c: number | undefined;
    d: number;
    e: 'x' | 'y';
    f: boolean | undefined;
  }>();
  expectTypeOf<ArgsOf<'a'>>().toEqualTypeOf<{}>();
});

test('ArgsOf reads name... as a string and name:type... as an array', () => {
  expectTypeOf<ArgsOf<'a <b...>'>>().toEqualTypeOf<{ b: string }>();
  expectTypeOf<ArgsOf<'a [b...]'>>().toEqualTypeOf<{ b: string | undefined }>();
  expectTypeOf<ArgsOf<'a [b...=no reason given]'>>().toEqualTypeOf<{ b: string }>();
  expectTypeOf<ArgsOf<'a <b:user...>'>>().toEqualTypeOf<{ b: MentionedUser[] }>();
  expectTypeOf<ArgsOf<'a [b:x|y...]'>>().toEqualTypeOf<{ b: ('x' | 'y')[] }>();
  expectTypeOf<ArgsOf<'a [b:boolean...]'>>().toEqualTypeOf<{ b: boolean[] }>();
});

test('ArgsOf reads flags with and without brackets', () => {
  expectTypeOf<ArgsOf<'a [--force] --dry-run/-n --count:int [--env:x|y=x]'>>().toEqualTypeOf<{
    force: boolean;
    dryRun: boolean;
    count: number | undefined;
    env: 'x' | 'y';
  }>();
  expectTypeOf<ArgsOf<'a <--to:user> --label/-l:string... [--cache:boolean=yes]'>>().toEqualTypeOf<{
    to: MentionedUser;
    label: string[];
    cache: boolean;
  }>();
});

test('ArgsOf takes the types of custom readers from their return types', () => {
  type Types = {
    version: (text: string) => { major: number } | undefined;
    port: { expects: string; read: (text: string) => bigint | undefined };
  };
  expectTypeOf<ArgsOf<'a <b:version> [c:port] <--d:int>', Types>>().toEqualTypeOf<{
    b: { major: number };
    c: bigint | undefined;
    d: number;
  }>();
});

test('ArgsOf of a usage known only at run time is a record of unknown values', () => {
  expectTypeOf<ArgsOf<string>>().toEqualTypeOf<Record<string, unknown>>();
  expectTypeOf<CheckedUsage<string>>().toEqualTypeOf<string>();
});

test('CheckedUsage of a valid usage is the usage', () => {
  expectTypeOf<
    CheckedUsage<'release notes <version>'>
  >().toEqualTypeOf<'release notes <version>'>();
});

test('CheckedUsage of an invalid usage is its error message', () => {
  type UsageFault<U extends string> = CheckedUsage<U>;
  expectTypeOf<UsageFault<''>>().toEqualTypeOf<'A usage must start with the command name'>();
  expectTypeOf<UsageFault<'<a> b'>>().toEqualTypeOf<'A usage must start with the command name'>();
  expectTypeOf<UsageFault<'a <b:strin>'>>().toEqualTypeOf<'Unknown type strin in b:strin'>();
  expectTypeOf<UsageFault<'a <b:strin...>'>>().toEqualTypeOf<'Unknown type strin in b:strin...'>();
  expectTypeOf<UsageFault<'a --b:strin'>>().toEqualTypeOf<'Unknown type strin in b:strin'>();
  expectTypeOf<UsageFault<'a <b'>>().toEqualTypeOf<'Missing > in <b'>();
  expectTypeOf<UsageFault<'a [b'>>().toEqualTypeOf<'Missing ] in [b'>();
  expectTypeOf<
    UsageFault<'a <b <c>'>
  >().toEqualTypeOf<'b <c has no valid name: write name or name:type'>();
  expectTypeOf<UsageFault<'a <>'>>().toEqualTypeOf<' has no valid name: write name or name:type'>();
  expectTypeOf<
    UsageFault<'a <b> c'>
  >().toEqualTypeOf<'The command name must come before all arguments, but c follows one'>();
  expectTypeOf<
    UsageFault<'a [b] <c>'>
  >().toEqualTypeOf<'The required argument c follows an optional one'>();
  expectTypeOf<
    UsageFault<'a <b...> <c>'>
  >().toEqualTypeOf<'c follows an argument that takes the rest of the text'>();
  expectTypeOf<UsageFault<'a <b> [b]'>>().toEqualTypeOf<'Two arguments have the name b'>();
  expectTypeOf<UsageFault<'a <b-c> --b-c'>>().toEqualTypeOf<'Two arguments have the name bC'>();
  expectTypeOf<
    UsageFault<'a [b:x|y=z]'>
  >().toEqualTypeOf<'The default z is not a choice of b:x|y=z'>();
  expectTypeOf<
    UsageFault<'a [n:int=many]'>
  >().toEqualTypeOf<'The default many of n:int=many is no int'>();
  expectTypeOf<
    UsageFault<'a [n:int=1.5]'>
  >().toEqualTypeOf<'The default 1.5 of n:int=1.5 is no int'>();
  expectTypeOf<
    UsageFault<'a [--n:number=few]'>
  >().toEqualTypeOf<'The default few of n:number=few is no number'>();
  expectTypeOf<
    UsageFault<'a [b:int=-3] [c:number=2.5]'>
  >().toEqualTypeOf<'a [b:int=-3] [c:number=2.5]'>();
  expectTypeOf<
    UsageFault<'a <b=c>'>
  >().toEqualTypeOf<'The required argument b=c has a default: write [b=c]'>();
  expectTypeOf<
    UsageFault<'a [b:int...=3]'>
  >().toEqualTypeOf<'The list b:int...=3 takes no default'>();
  expectTypeOf<
    UsageFault<'a --b...'>
  >().toEqualTypeOf<'--b... takes one value, or a list as in --name:string...'>();
  expectTypeOf<UsageFault<'a --b=c'>>().toEqualTypeOf<'The switch b=c takes no default'>();
});
