import { plainForm, wordKey } from '@bellhop/protocol/plain';

import { BotError } from '../bot-error.ts';
import type { MentionIds } from '../mentions.ts';
import type { StandardResult, StandardSchema } from '../sessions/standard-schema.ts';
import { type ArgumentType, argumentTypes, type CustomTypes } from './argument-types.ts';
import { inlineCode } from './markdown-code.ts';
import { pointAt, type Span } from './point-at.ts';

/** A positional argument or flag that a usage declares. */
export interface Parameter {
  /** The declared name, such as `dry-run`, without the hyphens in front of a flag. */
  readonly name: string;
  /** The key in a handler's `args`, such as `dryRun`. */
  readonly key: string;
  readonly kind: 'positional' | 'switch' | 'flag';
  readonly required: boolean;
  /** One value, the rest of the text as one string, or a list of values. */
  readonly takes: 'one' | 'text' | 'list';
  /** The declared type; undefined for a plain string. */
  readonly type: string | undefined;
  readonly choices: readonly string[] | undefined;
  /** Follows "must be" in error messages. */
  readonly expects: string;
  readonly read: (text: string, mentions?: MentionIds) => unknown;
  /** What is wrong with a text that `read` refuses, in the words of its schema. */
  readonly problem?: (text: string) => string | undefined;
  /** The most words of a value without quotes. */
  readonly maxWords?: number;
  readonly default: string | undefined;
  /** The one-letter form of a flag. */
  readonly short: string | undefined;
}

export interface Usage {
  /** The words of the command's name. */
  readonly words: readonly string[];
  readonly positionals: readonly Parameter[];
  readonly flags: readonly Parameter[];
}

interface UsagePart extends Span {
  readonly text: string;
  readonly bracket: '<' | '[' | '';
}

/**
 * Parses a usage. Throws a BotError (`config_invalid`) that points at the first error.
 * `CheckedUsage` finds most of these errors at compile time.
 */
export function readUsage(usage: string, types: CustomTypes = {}): Usage {
  const refuse = (reason: string, span: Span): never => {
    throw new BotError('config_invalid', `Invalid usage: ${reason}.\n${pointAt(usage, span)}`);
  };
  const redefined = Object.keys(types).find(isBuiltIn);
  if (redefined !== undefined) {
    throw new BotError(
      'config_invalid',
      `The type ${redefined} is built in: give the custom type another name.`,
    );
  }
  const words: string[] = [];
  const positionals: Parameter[] = [];
  const flags: Parameter[] = [];
  for (const part of usageParts(usage, refuse)) {
    const isFlag = part.text.startsWith('--');
    if (part.bracket === '' && !isFlag) {
      if (positionals.length + flags.length > 0)
        refuse('the command name must come before all arguments', part);
      words.push(part.text);
      continue;
    }
    if (words.length === 0) refuse('it must start with the command name', part);
    const parameter = readParameter(part, types, refuse);
    checkParameter(parameter, part, { positionals, flags, refuse });
    (isFlag ? flags : positionals).push(parameter);
  }
  if (words.length === 0) refuse('it must start with the command name', { start: 0, end: 0 });
  return { words, positionals, flags };
}

type Refuse = (reason: string, span: Span) => never;

function usageParts(usage: string, refuse: Refuse): UsagePart[] {
  const parts: UsagePart[] = [];
  const part = /<([^<>]*)>|\[([^[\]]*)\]|[^\s<>[\]]+|(\S)/g;
  for (const match of usage.matchAll(part)) {
    const [whole, angle, square, stray] = match;
    const start = match.index;
    const end = start + whole.length;
    if (stray !== undefined) refuse(`unmatched ${stray}`, { start, end });
    const follows = usage.charAt(end);
    if (follows !== '' && !/\s/.test(follows))
      refuse('a space is missing here', { start: end, end });
    const bracket = angle === undefined ? (square === undefined ? '' : '[') : '<';
    const inset = bracket === '' ? 0 : 1;
    parts.push({
      text: angle ?? square ?? whole,
      bracket,
      start: start + inset,
      end: end - inset,
    });
  }
  return parts;
}

const PARAMETER =
  /^(?<dashes>--)?(?<name>[\p{L}][\p{L}\p{N}_-]*)(?:\/-(?<short>\p{L}))?(?::(?<type>[^\s:=.]+))?(?<rest>\.\.\.)?(?:=(?<value>.*))?$/su;

function readParameter(part: UsagePart, types: CustomTypes, refuse: Refuse): Parameter {
  const groups = PARAMETER.exec(part.text)?.groups;
  if (groups === undefined) return refuse('write name, name:type or name:type=default', part);
  const { dashes, name = '', short, type, rest, value } = groups;
  const isFlag = dashes !== undefined;
  const isSwitch = isFlag && (type === undefined || type === 'boolean') && rest === undefined;
  if (short !== undefined && !isFlag) refuse('only a flag may have a short form', part);
  if (value !== undefined && part.bracket === '<')
    refuse('a required argument takes no default', part);
  if (isSwitch && type === undefined && value !== undefined) {
    refuse('a switch takes no default', part);
  }
  if (isFlag && rest !== undefined && type === undefined) {
    refuse('a flag takes one value, or a list as in --name:string...', part);
  }
  if (rest !== undefined && type !== undefined && value !== undefined) {
    refuse('a list takes no default', part);
  }
  const kind = isSwitch ? 'switch' : isFlag ? 'flag' : 'positional';
  const parameter: Parameter = {
    name,
    key: name.replaceAll(/-(.)/gu, (_, letter: string) => letter.toUpperCase()),
    kind,
    required: part.bracket === '<' && !isSwitch,
    takes: rest === undefined ? 'one' : type === undefined ? 'text' : 'list',
    type: isSwitch ? undefined : type,
    ...valueReader(isSwitch ? 'boolean' : type, types, (reason) => refuse(reason, part)),
    default: value,
    short,
  };
  if (value !== undefined && parameter.read(value) === undefined) {
    refuse(`the default must be ${parameter.expects}`, part);
  }
  return parameter;
}

function checkParameter(
  parameter: Parameter,
  part: UsagePart,
  { positionals, flags, refuse }: { positionals: Parameter[]; flags: Parameter[]; refuse: Refuse },
): void {
  const last = positionals.at(-1);
  const sameName = (other: Parameter) =>
    other.key === parameter.key ||
    (other.short !== undefined && other.short === parameter.short) ||
    (other.kind !== 'positional' && other.name.toLowerCase() === parameter.name.toLowerCase());
  if ([...positionals, ...flags].some(sameName)) refuse('another argument has that name', part);
  if (parameter.kind !== 'positional' || last === undefined) return;
  if (last.takes !== 'one') refuse(`${last.name} before it takes the rest of the text`, part);
  if (parameter.required && !last.required) refuse(`${last.name} before it is optional`, part);
}

type ValueReader = Pick<Parameter, 'choices' | 'expects' | 'read' | 'maxWords' | 'problem'>;

function valueReader(
  name: string | undefined,
  types: CustomTypes,
  refuse: (reason: string) => never,
): ValueReader {
  if (name === undefined) return { choices: undefined, ...argumentTypes.string };
  if (name.includes('|')) return choiceReader(name.split('|'), refuse);
  if (isBuiltIn(name)) return { choices: undefined, ...argumentTypes[name] };
  const custom = Object.hasOwn(types, name) ? types[name] : undefined;
  if (custom !== undefined && '~standard' in custom) return schemaReader(name, custom);
  if (custom !== undefined) {
    const type: ArgumentType<unknown> =
      typeof custom === 'function' ? { expects: `${article(name)} ${name}`, read: custom } : custom;
    const { expects, maxWords } = type;
    // A parser that refuses what a person has typed gets it in its plain form.
    const read = (text: string) => readOrRefuse(type, text) ?? readOrRefuse(type, plainForm(text));
    return { choices: undefined, expects, read, ...(maxWords === undefined ? {} : { maxWords }) };
  }
  const known = [...Object.keys(argumentTypes), ...Object.keys(types)].join(', ');
  return refuse(`unknown type ${name}; known are ${known} and choices such as a|b`);
}

/**
 * The reader of a type that a schema declares. A schema that throws refuses the text. Throws BotError
 * `config_invalid` at the first text if the schema does not answer at once.
 */
function schemaReader(name: string, schema: StandardSchema): ValueReader {
  let isAsynchronous = false;
  const check = (text: string): StandardResult<unknown> => {
    try {
      const checked = schema['~standard'].validate(text);
      if (!(checked instanceof Promise)) return checked;
      // zod makes a promise that rejects of an error that it throws.
      checked.then(
        () => (isAsynchronous = true),
        () => {},
      );
    } catch {}
    return { issues: [] };
  };
  check('');
  const valueOf = (text: string) => {
    if (isAsynchronous)
      throw new BotError(
        'config_invalid',
        `The schema of the type ${inlineCode(name)} is asynchronous: an argument needs one that answers at once.`,
      );
    const checked = check(text);
    return checked.issues === undefined ? checked.value : undefined;
  };
  return {
    choices: undefined,
    expects: `${article(name)} ${name}`,
    read: (text) => valueOf(text) ?? valueOf(plainForm(text)),
    problem: (text) => check(plainForm(text)).issues?.[0]?.message,
  };
}

const article = (name: string) => (/^[aeiou]/i.test(name) ? 'an' : 'a');

function isBuiltIn(name: string): name is keyof typeof argumentTypes {
  return Object.hasOwn(argumentTypes, name);
}

function readOrRefuse(type: ArgumentType<unknown>, text: string): unknown {
  try {
    return type.read(text);
  } catch {
    return undefined;
  }
}

function choiceReader(choices: readonly string[], refuse: (reason: string) => never): ValueReader {
  if (choices.includes('') || new Set(choices).size < choices.length) {
    refuse('choices must be distinct words');
  }
  const folded = new Map(choices.map((choice) => [wordKey(choice), choice]));
  const quoted = choices.map((choice) => inlineCode(choice));
  return {
    choices,
    expects: `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`,
    read: (text) => (choices.includes(text) ? text : folded.get(wordKey(text))),
  };
}
