import { BotError } from '../bot-error.ts';
import type { MentionIds } from '../mentions.ts';
import { argumentReader } from './argument-reader.ts';
import type { CustomTypes } from './argument-types.ts';
import { commandHelp } from './command-help.ts';
import { codeBlock, inlineCode } from './markdown-code.ts';
import { pointAt } from './point-at.ts';
import { type Parameter, readUsage, type Usage } from './read-usage.ts';

/** The description of a command beside its usage. */
export interface CommandOptions<Args> {
  /** A few words for the list of commands. */
  readonly about?: string | undefined;
  /** Other names, of one or more words. */
  readonly aliases?: readonly string[] | undefined;
  /** The purpose of each argument, by the argument's name in camel case. */
  readonly args?: { readonly [K in keyof Args]?: string } | undefined;
  /** Command lines as users type them. Each must match the usage. */
  readonly examples?: readonly string[] | undefined;
  /** Leaves the command out of the list of commands and of suggestions. */
  readonly hidden?: boolean | undefined;
}

/** The custom types that a usage may name beside the built-in ones. */
export interface WithCustomTypes<T extends CustomTypes> {
  readonly types: T;
}

/** A usage that names built-in types only. */
export interface WithoutCustomTypes {
  readonly types?: undefined;
}

/** An error in a command line that a user typed. */
export interface UsageError {
  /** A sentence or two of Markdown. */
  readonly reason: string;
  /** The reply: the reason, the typed line with carets under the error, and the usage. */
  readonly markdown: string;
}

export type ParseResult<Args> =
  | { readonly ok: true; readonly args: Args }
  | { readonly ok: false; readonly error: UsageError };

export interface Command<Args> {
  /** As declared, with single spaces between words. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly about: string;
  readonly hidden: boolean;
  /** The usage in its shortest form, for users. */
  readonly usage: string;
  /**
   * Parses `rest`, the text after the name. Error messages show the name as `typed`, which defaults
   * to the declared name. `mentions` finds the IDs of users. Throws only if
   * a schema does not answer at once (BotError `config_invalid`).
   */
  readonly parse: (rest: string, typed?: string, mentions?: MentionIds) => ParseResult<Args>;
  /** The arguments, defaults, flags and examples in Markdown. */
  readonly help: () => string;
}

export type AnyOptions = CommandOptions<AnyArgs> & { readonly types?: CustomTypes | undefined };
type AnyCommand = Command<AnyArgs>;
type AnyArgs = Record<string, unknown>;

/**
 * Declares a command by its usage, such as
 * `deploy <env:staging|prod> [ref=main] [--force/-f] [--count:int=1] [note...]`.
 *
 * `<name>` is required, `[name]` optional, and `[name=text]` has a default. In `name:type` the type
 * is a key of `argumentTypes` or of `types`, or choices `a|b`. `name...` takes the rest of the text
 * as one string, `name:type...` as a list. `--name` is a switch, `--name:type` a flag with a value,
 * and `--name/-n` also has a short form.
 *
 * Throws a BotError (`config_invalid`) if the usage is invalid or an example does not match it.
 */
export function commandOf(usage: string, options: AnyOptions = {}): AnyCommand {
  const { about = '', aliases = [], args = {}, examples = [], hidden = false, types } = options;
  const declared = readUsage(usage, types);
  const read = argumentReader(declared);
  const name = declared.words.join(' ');
  const shortUsage = usageText(declared);

  function parse(rest: string, typed = name, mentions?: MentionIds): ParseResult<AnyArgs> {
    const result = read(rest, mentions);
    if (result.ok) return { ok: true, args: result.values };
    const { reason, span } = result.fault;
    const text = `${`${typed} ${rest}`.trimEnd()} `;
    const shift = typed.length + 1;
    const pointed = pointAt(text, {
      start: span === undefined ? text.length : span.start + shift,
      end: span === undefined ? text.length : span.end + shift,
    });
    const markdown = `${reason}\n${codeBlock(pointed)}\nUsage: ${inlineCode(shortUsage, Infinity)}`;
    return { ok: false, error: { reason, markdown } };
  }
  const command: AnyCommand = {
    name,
    aliases: aliases.map(aliasName),
    about,
    hidden,
    usage: shortUsage,
    parse,
    help: () => commandHelp({ command, usage: declared, args, examples }),
  };
  for (const example of examples) checkExample(example, command);
  return command;
}

function aliasName(alias: string): string {
  const words = alias.split(/\s+/).filter((word) => word !== '');
  if (words.length > 0 && !/[<>[\]]/.test(alias)) return words.join(' ');
  throw new BotError(
    'config_invalid',
    `An alias is a name without arguments, not ${inlineCode(alias)}.`,
  );
}

function checkExample(example: string, command: Command<unknown>): void {
  const name = [command.name, ...command.aliases].find((prefix) => {
    const start = example.slice(0, prefix.length + 1).toLowerCase();
    return `${start} `.startsWith(`${prefix.toLowerCase()} `);
  });
  if (name === undefined) {
    const reason = `does not start with ${inlineCode(command.name)}`;
    throw new BotError('config_invalid', `The example ${inlineCode(example)} ${reason}.`);
  }
  const parsed = command.parse(example.slice(name.length + 1), name);
  if (parsed.ok) return;
  throw new BotError(
    'config_invalid',
    `An example does not match its usage.\n${parsed.error.markdown}`,
  );
}

/** A usage in its shortest form, for users: without the type of plain strings. */
function usageText({ words, positionals, flags }: Usage): string {
  return [...words, ...[...positionals, ...flags].map(parameterText)].join(' ');
}

function parameterText({ name, kind, type, takes, required, short, ...rest }: Parameter): string {
  const text = [
    kind === 'positional' ? name : `--${name}`,
    short === undefined ? '' : `/-${short}`,
    type === undefined || (type === 'string' && takes === 'one' && kind === 'positional')
      ? ''
      : `:${type}`,
    takes === 'one' ? '' : '...',
    rest.default === undefined ? '' : `=${rest.default}`,
  ].join('');
  return required ? `<${text}>` : `[${text}]`;
}
