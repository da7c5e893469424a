import { expectTypeOf, test } from 'vitest';

import type { ArgsOf, CheckedUsage } from './args-of.ts';
import type { MentionedChannel, MentionedUser } from './mentions.ts';

test('arguments have the types their usage names', () => {
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

test('what may be left out and has no default may be undefined', () => {
  expectTypeOf<ArgsOf<'a [b] [c:int] [d:int=3] [e:x|y=x] [f:boolean]'>>().toEqualTypeOf<{
    b: string | undefined;
    c: number | undefined;
    d: number;
    e: 'x' | 'y';
    f: boolean | undefined;
  }>();
  expectTypeOf<ArgsOf<'a'>>().toEqualTypeOf<{}>();
});

test('the rest is a text, a repeated type a list', () => {
  expectTypeOf<ArgsOf<'a <b...>'>>().toEqualTypeOf<{ b: string }>();
  expectTypeOf<ArgsOf<'a [b...]'>>().toEqualTypeOf<{ b: string | undefined }>();
  expectTypeOf<ArgsOf<'a [b...=no reason given]'>>().toEqualTypeOf<{ b: string }>();
  expectTypeOf<ArgsOf<'a <b:user...>'>>().toEqualTypeOf<{ b: MentionedUser[] }>();
  expectTypeOf<ArgsOf<'a [b:x|y...]'>>().toEqualTypeOf<{ b: ('x' | 'y')[] }>();
  expectTypeOf<ArgsOf<'a [b:boolean...]'>>().toEqualTypeOf<{ b: boolean[] }>();
});

test('flags, with brackets or without', () => {
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

test('types of the bot', () => {
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

test('a usage known only at run time has arguments of unknown types', () => {
  expectTypeOf<ArgsOf<string>>().toEqualTypeOf<Record<string, unknown>>();
  expectTypeOf<CheckedUsage<string>>().toEqualTypeOf<string>();
});

test('a usage that can be read is itself', () => {
  expectTypeOf<
    CheckedUsage<'release notes <version>'>
  >().toEqualTypeOf<'release notes <version>'>();
});

test('a fault is said in words', () => {
  type UsageProblem<U extends string> = CheckedUsage<U>;
  expectTypeOf<UsageProblem<''>>().toEqualTypeOf<'A usage starts with the name of the command'>();
  expectTypeOf<
    UsageProblem<'<a> b'>
  >().toEqualTypeOf<'A usage starts with the name of the command'>();
  expectTypeOf<UsageProblem<'a <b:strin>'>>().toEqualTypeOf<'There is no type strin for b:strin'>();
  expectTypeOf<
    UsageProblem<'a <b:strin...>'>
  >().toEqualTypeOf<'There is no type strin for b:strin...'>();
  expectTypeOf<UsageProblem<'a --b:strin'>>().toEqualTypeOf<'There is no type strin for b:strin'>();
  expectTypeOf<UsageProblem<'a <b'>>().toEqualTypeOf<'A < without its > in <b'>();
  expectTypeOf<UsageProblem<'a [b'>>().toEqualTypeOf<'A [ without its ] in [b'>();
  expectTypeOf<
    UsageProblem<'a <b <c>'>
  >().toEqualTypeOf<'b <c has no proper name: write name or name:type'>();
  expectTypeOf<
    UsageProblem<'a <>'>
  >().toEqualTypeOf<' has no proper name: write name or name:type'>();
  expectTypeOf<
    UsageProblem<'a <b> c'>
  >().toEqualTypeOf<'The word c follows an argument: the name comes first'>();
  expectTypeOf<
    UsageProblem<'a [b] <c>'>
  >().toEqualTypeOf<'c must be given but follows an argument that may be left out'>();
  expectTypeOf<
    UsageProblem<'a <b...> <c>'>
  >().toEqualTypeOf<'c follows an argument that takes all the rest'>();
  expectTypeOf<UsageProblem<'a <b> [b]'>>().toEqualTypeOf<'There are two arguments called b'>();
  expectTypeOf<
    UsageProblem<'a <b-c> --b-c'>
  >().toEqualTypeOf<'There are two arguments called bC'>();
  expectTypeOf<
    UsageProblem<'a [b:x|y=z]'>
  >().toEqualTypeOf<'The default z is not among the choices of b:x|y=z'>();
  expectTypeOf<UsageProblem<'a <b=c>'>>().toEqualTypeOf<'b=c has a default: write [b=c]'>();
  expectTypeOf<
    UsageProblem<'a [b:int...=3]'>
  >().toEqualTypeOf<'b:int...=3 is a list and takes no default'>();
  expectTypeOf<
    UsageProblem<'a --b...'>
  >().toEqualTypeOf<'--b... takes one value, or a list as in --name:string...'>();
  expectTypeOf<UsageProblem<'a --b=c'>>().toEqualTypeOf<'b=c is a switch and takes no default'>();
});
