import { roles } from '@bellhop/protocol/plain';

import type { ConfirmedCommand, ConfirmationOptions } from './choices/confirmation.ts';
import { commandTable, type FoundCommand } from './commands/command-table.ts';
import { type AnyOptions, commandOf } from './commands/command.ts';
import { inlineCode } from './commands/markdown-code.ts';
import { mentionIds } from './commands/mentions.ts';
import type { CommandContext, Context } from './context.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { HandlerResult } from './reply.ts';
import type { RoleName } from './role-name.ts';

type Respond = (context: DeliveryContext) => HandlerResult | Promise<HandlerResult>;

export interface Permission<Session> {
  /**
   * Who may use the command: users with this role or a higher one, or those for whom the function
   * returns true. A role needs `api`: it is looked up on the server.
   */
  readonly allow?: RoleName | ((context: Context<Session>) => boolean | Promise<boolean>);
}

export interface Confirmation<Args, Session> {
  /**
   * Returns the question that must be confirmed, or true for a standard one. The command runs if
   * the same user says yes within five minutes; with options, another person, a role or given
   * people may confirm it.
   */
  readonly confirm?:
    | AskToConfirm<Args, Session>
    | (ConfirmationOptions & { readonly ask: AskToConfirm<Args, Session> });
}

type AskToConfirm<Args, Session> = (
  context: CommandContext<Args, Session>,
) => Question | Promise<Question>;
type Question = string | boolean | undefined;

type Options = AnyOptions & Permission<never> & Confirmation<never, never>;

/** A command that a message begins with. */
interface CommandCall {
  /** Whether the rest of the message matches the usage of the command. */
  readonly fits: () => boolean;
  /** Checks the arguments and runs the command, or resolves with the error for the user. */
  readonly run: () => Promise<HandlerResult>;
}

/** Asks people to confirm the command of a message. */
type Confirm = (
  context: DeliveryContext,
  question: string,
  how: ConfirmationOptions,
) => Promise<HandlerResult>;

interface DeclaredCommand {
  readonly respond: Respond;
  readonly allow: Permission<never>['allow'];
  readonly confirm: Confirmation<never, never>['confirm'];
}

/** Finds the command that a message begins with, checks its arguments and calls its handler. */
export function commandRouter(ask: Confirm) {
  const table = commandTable<DeclaredCommand>();
  let ownHelp = false;

  return {
    add(usage: string, options: Options, respond: Respond): void {
      const command = commandOf(usage, options);
      table.add(command, { respond, allow: options.allow, confirm: options.confirm });
      ownHelp ||= [command.name, ...command.aliases].some((name) => /^help$/i.test(name));
    },

    /** The command that the message begins with, if any. */
    find(context: DeliveryContext): CommandCall | undefined {
      if (table.size === 0) return undefined;
      const found = table.find(context.text);
      if (found === undefined) return ownHelp ? undefined : help(context.text);
      return {
        fits: () => found.command.parse(found.rest).ok,
        run: () => perform(context, found),
      };
    },

    /** Runs a confirmed command line, if the person who gave it may still use the command. */
    async confirmed(
      context: DeliveryContext,
      { line, askedBy }: ConfirmedCommand,
    ): Promise<HandlerResult> {
      const found = table.find(line);
      // The command itself came as a mention.
      if (context.trigger === 'follow_up') context.trigger = 'mention';
      if (found === undefined) return 'That command is gone: I was changed in between.';
      context.commandOf = askedBy;
      // If another person confirms a command, the permission of the sender was checked when they
      // sent it.
      const isOwn = askedBy.id === context.actor.id;
      const { allow, ...value } = { ...found.value, confirm: undefined };
      return perform(context, { ...found, value: { ...value, allow: isOwn ? allow : undefined } });
    },

    /** The reply to a message without a handler; undefined for a bot without commands. */
    unknown(context: DeliveryContext): HandlerResult {
      if (table.size === 0) return undefined;
      if (context.text === '') return table.help();
      const meant = table.nearest(context.text);
      const question = meant === undefined ? '' : ` Did you mean ${inlineCode(meant)}?`;
      return `I do not know what to do with that.${question} Say ${inlineCode('help')} for what I can do.`;
    },
  };

  async function perform(
    context: DeliveryContext,
    { command, value, rest, typed }: FoundCommand<DeclaredCommand>,
  ): Promise<HandlerResult> {
    const { allow, confirm, respond } = value;
    if (allow !== undefined && !(await mayUse(context, allow))) return refusal(command.name, allow);
    const parsed = command.parse(rest, typed, mentionIds(context.message.renderedContent));
    if (!parsed.ok) return parsed.error.markdown;
    context.command = command.name;
    context.args = parsed.args;
    if (confirm === undefined) return respond(context);
    const { ask: questionOf, ...how } = typeof confirm === 'function' ? { ask: confirm } : confirm;
    const question = await questionOf(context as unknown as CommandContext<never, never>);
    if (question === undefined || question === false) return respond(context);
    const standard = `${inlineCode(context.text)}: really?`;
    return ask(context, question === true ? standard : question, how);
  }

  function help(text: string): CommandCall | undefined {
    const asked = /^help(?:\s+(\S[^\n]{0,200}))?\s*$/i.exec(text);
    if (asked === null) return undefined;
    const [, name] = asked;
    const reply = () =>
      name === undefined
        ? table.help()
        : (table.help(name) ?? `There is no command ${inlineCode(name)}.\n\n${table.help()}`);
    return { fits: () => true, run: async () => reply() };
  }
}

const refusal = (command: string, allow: NonNullable<DeclaredCommand['allow']>) =>
  typeof allow === 'string'
    ? `${inlineCode(command)} is for people with the role ${allow} or above.`
    : `You may not use ${inlineCode(command)}.`;

/** Whether the sender of a message has a role or a higher one, or a function permits it. */
export async function mayUse(
  context: DeliveryContext,
  allow: NonNullable<DeclaredCommand['allow']>,
): Promise<boolean> {
  if (typeof allow === 'function') return allow(context as unknown as Context<never>);
  const { role } = await context.user();
  return roles[role] <= roles[allow];
}
