import { BotError } from '../bot-error.ts';
import { type ArgumentType, argumentTypes, type CustomTypes } from './argument-types.ts';
import { inlineCode } from './markdown-code.ts';
import { pointAt, type Span } from './point-at.ts';

/** One argument a usage declares. */
export interface Parameter {
  /** As declared, `dry-run`; for a flag without its hyphens. */
  readonly name: string;
  /** As a handler finds it, `dryRun`. */
  readonly key: string;
  readonly kind: 'positional' | 'switch' | 'flag';
  readonly required: boolean;
  /** All the rest as one text, or as a list of values. */
  readonly takes: 'one' | 'text' | 'list';
  /** The type as declared; undefined for a plain text. */
  readonly type: string | undefined;
  readonly choices: readonly string[] | undefined;
  /** Follows "must be" in an error. */
  readonly expects: string;
  readonly read: (text: string) => unknown;
  readonly default: string | undefined;
  /** The one-letter name of a flag. */
  readonly short: string | undefined;
}

export interface Usage {
  /** The words of the command's name. */
  readonly words: readonly string[];
  readonly positionals: readonly Parameter[];
  readonly flags: readonly Parameter[];
}

interface Part extends Span {
  readonly text: string;
  readonly bracket: '<' | '[' | '';
}

/**
 * Reads a usage. Throws a BotError (`config_invalid`) that points at the place when it cannot be
 * read: `CheckedUsage` finds most of that at compile time.
 */
export function readUsage(usage: string, types: CustomTypes = {}): Usage {
  const refuse = (reason: string, place: Span): never => {
    throw new BotError(
      'config_invalid',
      `A usage cannot be read: ${reason}.\n${pointAt(usage, place)}`,
    );
  };
  const own = Object.keys(types).find(isBuiltIn);
  if (own !== undefined) {
    throw new BotError(
      'config_invalid',
      `The type ${own} is built in: call yours by another name.`,
    );
  }
  const words: string[] = [];
  const positionals: Parameter[] = [];
  const flags: Parameter[] = [];
  for (const part of partsOf(usage, refuse)) {
    const isFlag = part.text.startsWith('--');
    if (part.bracket === '' && !isFlag) {
      if (positionals.length + flags.length > 0)
        refuse('the name comes before all arguments', part);
      words.push(part.text);
      continue;
    }
    if (words.length === 0) refuse('it starts with the name of the command', part);
    const parameter = readParameter(part, types, refuse);
    refuseOrder(parameter, part, { positionals, flags, refuse });
    (isFlag ? flags : positionals).push(parameter);
  }
  if (words.length === 0) refuse('it starts with the name of the command', { start: 0, end: 0 });
  return { words, positionals, flags };
}

type Refuse = (reason: string, place: Span) => never;

function partsOf(usage: string, refuse: Refuse): Part[] {
  const parts: Part[] = [];
  const part = /<([^<>]*)>|\[([^[\]]*)\]|[^\s<>[\]]+|(\S)/g;
  for (const match of usage.matchAll(part)) {
    const [whole, angle, square, stray] = match;
    const start = match.index;
    const end = start + whole.length;
    if (stray !== undefined) refuse(`${stray} has no partner`, { start, end });
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

const SHAPE =
  /^(?<dashes>--)?(?<name>[\p{L}][\p{L}\p{N}_-]*)(?:\/-(?<short>\p{L}))?(?::(?<type>[^\s:=.]+))?(?<rest>\.\.\.)?(?:=(?<value>.*))?$/su;

function readParameter(part: Part, types: CustomTypes, refuse: Refuse): Parameter {
  const found = SHAPE.exec(part.text)?.groups;
  if (found === undefined) return refuse('write name, name:type or name:type=default', part);
  const { dashes, name = '', short, type, rest, value } = found;
  const isFlag = dashes !== undefined;
  const isSwitch = isFlag && (type === undefined || type === 'boolean') && rest === undefined;
  if (short !== undefined && !isFlag) refuse('only a flag has a short name', part);
  if (value !== undefined && part.bracket === '<')
    refuse('what must be given has no default', part);
  if (isSwitch && type === undefined && value !== undefined) {
    refuse('a switch is off by itself and takes no default', part);
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
    ...typeNamed(isSwitch ? 'boolean' : type, types, (reason) => refuse(reason, part)),
    default: value,
    short,
  };
  if (value !== undefined && parameter.read(value) === undefined) {
    refuse(`the default must be ${parameter.expects}`, part);
  }
  return parameter;
}

function refuseOrder(
  parameter: Parameter,
  part: Part,
  { positionals, flags, refuse }: { positionals: Parameter[]; flags: Parameter[]; refuse: Refuse },
): void {
  const last = positionals.at(-1);
  const same = (other: Parameter) =>
    other.key === parameter.key ||
    (other.short !== undefined && other.short === parameter.short) ||
    (other.kind !== 'positional' && other.name.toLowerCase() === parameter.name.toLowerCase());
  if ([...positionals, ...flags].some(same))
    refuse('there is an argument of that name already', part);
  if (parameter.kind !== 'positional' || last === undefined) return;
  if (last.takes !== 'one') refuse(`${last.name} before it takes all the rest`, part);
  if (parameter.required && !last.required) refuse(`${last.name} before it may be left out`, part);
}

type Named = Pick<Parameter, 'choices' | 'expects' | 'read'>;

function typeNamed(
  name: string | undefined,
  types: CustomTypes,
  refuse: (reason: string) => never,
): Named {
  if (name === undefined) return { choices: undefined, ...argumentTypes.string };
  if (name.includes('|')) return choiceOf(name.split('|'), refuse);
  if (isBuiltIn(name)) return { choices: undefined, ...argumentTypes[name] };
  const custom = Object.hasOwn(types, name) ? types[name] : undefined;
  if (custom !== undefined) {
    const type =
      typeof custom === 'function' ? { expects: `${article(name)} ${name}`, read: custom } : custom;
    return { choices: undefined, expects: type.expects, read: (text) => readOrRefuse(type, text) };
  }
  const known = [...Object.keys(argumentTypes), ...Object.keys(types)].join(', ');
  return refuse(`there is no type ${name}, but ${known} and choices such as a|b`);
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

function choiceOf(choices: readonly string[], refuse: (reason: string) => never): Named {
  if (choices.includes('') || new Set(choices).size < choices.length) {
    refuse('the choices are not all different words');
  }
  const folded = new Map(choices.map((choice) => [choice.toLowerCase(), choice]));
  const named = choices.map((choice) => inlineCode(choice));
  return {
    choices,
    expects: `${named.slice(0, -1).join(', ')} or ${named.at(-1)}`,
    read: (text) => (choices.includes(text) ? text : folded.get(text.toLowerCase())),
  };
}
