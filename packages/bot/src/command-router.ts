import { roles } from '@bellhop/protocol';

import { commandTable, type FoundCommand } from './commands/command-table.ts';
import { type AnyOptions, commandOf } from './commands/command.ts';
import { inlineCode } from './commands/markdown-code.ts';
import type { Context } from './context.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { HandlerResult } from './reply.ts';

type Respond = (context: DeliveryContext) => HandlerResult | Promise<HandlerResult>;

/** The roles of people, from those who may least. */
export type RoleName = Exclude<keyof typeof roles, 'guest'>;

export interface Permission<Session> {
  /**
   * Who may use the command: people of this role or above, or whoever the function says. A role is
   * asked of the server, for which the bot needs `api`.
   */
  readonly allow?: RoleName | ((context: Context<Session>) => boolean | Promise<boolean>);
}

export interface Confirmation<Args> {
  /**
   * Whether the user is asked first, and what: a question, or true for an ordinary one. The command
   * runs when the same user says yes within five minutes.
   */
  readonly confirm?: (args: Args) => string | boolean | undefined;
}

type Options = AnyOptions & Permission<never> & Confirmation<never>;

/** Asks whether the command of a message is really meant. */
type Ask = (context: DeliveryContext, question: string) => Promise<HandlerResult>;

interface Declared {
  readonly respond: Respond;
  readonly allow: Permission<never>['allow'];
  readonly confirm: Confirmation<never>['confirm'];
}

/** Finds the command a message begins with, and answers what is wrong about it. */
export function commandRouter(ask: Ask) {
  const table = commandTable<Declared>();
  let ownHelp = false;

  return {
    add(usage: string, options: Options, respond: Respond): void {
      const command = commandOf(usage, options);
      table.add(command, { respond, allow: options.allow, confirm: options.confirm });
      ownHelp ||= [command.name, ...command.aliases].some((name) => /^help$/i.test(name));
    },

    /** What answers the message; undefined when it begins with no command. */
    find(context: DeliveryContext): (() => HandlerResult | Promise<HandlerResult>) | undefined {
      if (table.size === 0) return undefined;
      const found = table.find(context.text);
      if (found === undefined) return ownHelp ? undefined : help(context.text);
      return () => perform(context, found);
    },

    /** Runs the command of a line that was confirmed; who confirms must be allowed to. */
    async confirmed(context: DeliveryContext, line: string): Promise<HandlerResult> {
      const found = table.find(line);
      if (found === undefined) return 'That command is gone: I was changed in between.';
      return perform(context, { ...found, value: { ...found.value, confirm: undefined } });
    },

    /** What to say to a message that nothing answers; silence when there are no commands. */
    unknown(context: DeliveryContext): HandlerResult {
      if (table.size === 0) return undefined;
      if (context.text === '') return table.help();
      const meant = table.nearest(context.text);
      const question = meant === undefined ? '' : ` Did you mean ${inlineCode(meant)}?`;
      return `I do not know what to do with that.${question} Say ${inlineCode('help')} for what I can do.`;
    },
  };

  function perform(
    context: DeliveryContext,
    { command, value, rest, typed }: FoundCommand<Declared>,
  ): HandlerResult | Promise<HandlerResult> {
    const answer = () => {
      const parsed = command.parse(rest, typed);
      if (!parsed.ok) return parsed.error.markdown;
      const question = value.confirm?.(parsed.args as never);
      if (question !== undefined && question !== false)
        return ask(context, question === true ? `${inlineCode(context.text)}: really?` : question);
      context.command = command.name;
      context.args = parsed.args;
      return value.respond(context);
    };
    return value.allow === undefined ? answer() : ifAllowed(context, value.allow, command, answer);
  }

  function help(text: string): (() => HandlerResult) | undefined {
    const asked = /^help(?:\s+(\S[^\n]{0,200}))?\s*$/i.exec(text);
    if (asked === null) return undefined;
    const [, name] = asked;
    if (name === undefined) return () => table.help();
    return () => table.help(name) ?? `There is no command ${inlineCode(name)}.\n\n${table.help()}`;
  }
}

async function ifAllowed(
  context: DeliveryContext,
  allow: NonNullable<Declared['allow']>,
  { name }: { readonly name: string },
  answer: () => HandlerResult | Promise<HandlerResult>,
): Promise<HandlerResult> {
  if (await mayUse(context, allow)) return answer();
  return typeof allow === 'string'
    ? `${inlineCode(name)} is for people with the role ${allow} or above.`
    : `You may not use ${inlineCode(name)}.`;
}

async function mayUse(
  context: DeliveryContext,
  allow: NonNullable<Declared['allow']>,
): Promise<boolean> {
  if (typeof allow === 'function') return allow(context as unknown as Context<never>);
  const { role } = await context.sender();
  return role <= roles[allow];
}
