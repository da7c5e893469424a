import { BotError } from '../bot-error.ts';
import type { ArgsOf, CheckedUsage } from './args-of.ts';
import { argumentReader } from './argument-reader.ts';
import type { CustomTypes } from './argument-types.ts';
import { commandHelp } from './command-help.ts';
import { codeBlock, inlineCode } from './markdown-code.ts';
import { pointAt } from './point-at.ts';
import { readUsage } from './read-usage.ts';
import { usageText } from './usage-text.ts';

/** What can be said about a command beyond its usage. */
export interface CommandOptions<Args> {
  /** A few words for the list of commands. */
  readonly about?: string | undefined;
  /** Other names, of one word or several. */
  readonly aliases?: readonly string[] | undefined;
  /** What each argument is for, by its name in camel case. */
  readonly args?: { readonly [K in keyof Args]?: string } | undefined;
  /** Lines as they would be typed; each has to fit the usage. */
  readonly examples?: readonly string[] | undefined;
  /** Not in the list of commands, and never suggested. */
  readonly hidden?: boolean | undefined;
}

/** Types of a bot that its usages name. */
export interface OwnTypes<T extends CustomTypes> {
  readonly types: T;
}

/** No types of the bot's own: the usage names built-in types only. */
export interface NoOwnTypes {
  readonly types?: undefined;
}

/** What was wrong with what was typed. */
export interface UsageError {
  /** Says it in a sentence or two of Markdown. */
  readonly reason: string;
  /** The reply: the reason, the typed line with carets under the place, and the usage. */
  readonly markdown: string;
}

export type Parsed<Args> =
  | { readonly ok: true; readonly args: Args }
  | { readonly ok: false; readonly error: UsageError };

export interface Command<Args> {
  /** As declared; several words have one space between them. */
  readonly name: string;
  readonly aliases: readonly string[];
  readonly about: string;
  readonly hidden: boolean;
  /** The usage as people read it. */
  readonly usage: string;
  /**
   * Reads what follows the name. `typed` is the name as it was typed, for the error to show.
   * Throws for no text.
   */
  readonly parse: (rest: string, typed?: string) => Parsed<Args>;
  /** Details in Markdown: arguments, defaults, flags, examples. */
  readonly help: () => string;
}

/**
 * Declares a command by its usage, such as
 * `deploy <env:staging|prod> [ref=main] [--force/-f] [--count:int=1] [note...]`.
 *
 * `<name>` must be given, `[name]` may be left out, `[name=text]` has a default; `name:type` is
 * a type of `argumentTypes`, of `types`, or choices `a|b`; `name...` takes the rest as one text,
 * `name:type...` as a list. `--name` is a switch, `--name:type` a flag with a value, `--name/-n`
 * has a short form too.
 *
 * Throws a BotError (`config_invalid`) when the usage cannot be read or an example does not fit.
 */
export function defineCommand<const U extends string, T extends CustomTypes>(
  usage: CheckedUsage<U, T>,
  options: CommandOptions<NoInfer<ArgsOf<U, T>>> & OwnTypes<T>,
): Command<ArgsOf<U, T>>;
export function defineCommand<const U extends string>(
  usage: CheckedUsage<U>,
  options?: CommandOptions<NoInfer<ArgsOf<U>>> & NoOwnTypes,
): Command<ArgsOf<U>>;
export function defineCommand(usage: string, options: AnyOptions = {}): AnyCommand {
  return commandOf(usage, options);
}

export type AnyOptions = CommandOptions<AnyArgs> & { readonly types?: CustomTypes | undefined };
type AnyCommand = Command<AnyArgs>;
type AnyArgs = Record<string, unknown>;

/** `defineCommand` for a usage the compiler does not know: the arguments are unknown. */
export function commandOf(usage: string, options: AnyOptions = {}): AnyCommand {
  const { about = '', aliases = [], args = {}, examples = [], hidden = false, types } = options;
  const declared = readUsage(usage, types);
  const read = argumentReader(declared);
  const name = declared.words.join(' ');
  const line = usageText(declared);

  function parse(rest: string, typed = name): Parsed<AnyArgs> {
    const outcome = read(rest);
    if (outcome.ok) return { ok: true, args: outcome.values };
    const { reason, place } = outcome.fault;
    const shown = `${`${typed} ${rest}`.trimEnd()} `;
    const shift = typed.length + 1;
    const pointed = pointAt(shown, {
      start: place === undefined ? shown.length : place.start + shift,
      end: place === undefined ? shown.length : place.end + shift,
    });
    const markdown = `${reason}\n${codeBlock(pointed)}\nUsage: ${inlineCode(line, Infinity)}`;
    return { ok: false, error: { reason, markdown } };
  }
  const command: AnyCommand = {
    name,
    aliases: aliases.map(aliasName),
    about,
    hidden,
    usage: line,
    parse,
    help: () => commandHelp({ command, usage: declared, args, examples }),
  };
  for (const example of examples) refuseExample(example, command);
  return command;
}

function aliasName(alias: string): string {
  const words = alias.split(/\s+/).filter((word) => word !== '');
  if (words.length > 0 && !/[<>[\]]/.test(alias)) return words.join(' ');
  throw new BotError('config_invalid', `An alias is the name alone, not ${inlineCode(alias)}.`);
}

function refuseExample(example: string, command: Command<unknown>): void {
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
    `An example does not fit its usage.\n${parsed.error.markdown}`,
  );
}
