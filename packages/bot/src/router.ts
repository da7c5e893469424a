import type { ChoiceRouter } from './choices/choice-router.ts';
import type { Choice } from './choices/choice.ts';
import {
  CONFIRM,
  type Confirmation,
  confirmation,
  type ConfirmedCommand,
  isConfirmed,
} from './choices/confirmation.ts';
import { commandTable, type FoundCommand } from './commands/command-table.ts';
import { type AnyOptions, commandOf } from './commands/command.ts';
import { helpReply, unknownReply } from './commands/help-replies.ts';
import { inlineCode } from './commands/markdown-code.ts';
import { mentionIds } from './commands/mentions.ts';
import { mayUse, type Permission, refusal } from './commands/permission.ts';
import type { CommandContext } from './context.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { ChangeTrigger, Trigger } from './delivery.ts';
import type { DialogRouter } from './dialogs/dialog-router.ts';
import type { Dialog } from './dialogs/dialog.ts';
import { around, type Middleware } from './middleware.ts';
import type { HandlerResult } from './reply.ts';
import type { Sessions } from './sessions/sessions.ts';
import { withSession } from './sessions/with-session.ts';
import type { RecordAction } from './trust/audit.ts';

/** A handler. A DeliveryContext has the fields of every context; the router decides which are set. */
export type Respond = (context: DeliveryContext) => HandlerResult | Promise<HandlerResult>;
type RespondAsync = (context: DeliveryContext) => Promise<HandlerResult>;

export type DeclaredOptions = AnyOptions & Permission<never> & Confirmation<never, never>;

interface DeclaredCommand {
  readonly allow: DeclaredOptions['allow'];
  readonly confirm: DeclaredOptions['confirm'];
  readonly respond: Respond;
}

/** A command that a message begins with. */
interface CommandCall {
  /** Whether the rest of the message matches the usage of the command. */
  readonly fits: () => boolean;
  /** Checks the arguments and runs the command, or resolves with the error for the user. */
  readonly run: () => Promise<HandlerResult>;
}

interface RouterOptions {
  readonly dialogs: DialogRouter;
  readonly choices: ChoiceRouter;
  /** Undefined for a bot without sessions. */
  readonly sessions: Sessions<unknown> | undefined;
  /** Undefined for a bot without an audit log. */
  readonly record: RecordAction | undefined;
}

export const changeTriggers: readonly ChangeTrigger[] = ['reaction', 'edit', 'delete'];

/** The handlers of a bot. Finds the one that answers a delivery, and calls it. */
export function router({ dialogs, choices, sessions, record }: RouterOptions) {
  const commands = commandTable<DeclaredCommand>();
  const heard: { pattern: RegExp; respond: Respond }[] = [];
  const byTrigger = new Map<Trigger, Respond>();
  const middleware: Middleware<DeliveryContext>[] = [];
  let otherwise: Respond | undefined;
  let hasDialogs = false;
  let hasConfirmations = false;
  /** Made of the middleware and the sessions at the first delivery. */
  let handle: RespondAsync | undefined;

  function handler(): RespondAsync {
    const inner = around(middleware, route);
    return sessions === undefined ? inner : withSession(sessions, inner);
  }

  function route(context: DeliveryContext): Promise<HandlerResult> {
    if (context.delivery.change !== undefined) return routeChange(context);
    if (context.trigger === 'follow_up') return routeFollowUp(context);
    const command = commandIn(context);
    const respondToText = () =>
      command === undefined ? routeChoice(context, routeText) : command.run();
    if (!hasDialogs && !hasConfirmations) return respondToText();
    if (command !== undefined && command.fits()) return leave(context).then(command.run);
    // An answer may begin with the name of a command.
    return hasDialogs ? dialogs.answer(context, respondToText) : respondToText();
  }

  /** A command ends the dialog and drops the questions that wait for an answer of its sender. */
  async function leave(context: DeliveryContext): Promise<void> {
    if (hasDialogs) await dialogs.leave(context);
    if (hasConfirmations) await choices.forget(context, CONFIRM);
  }

  /** Answers a message that is not addressed to the bot: no command, no `hears` and no fallback. */
  async function routeFollowUp(context: DeliveryContext): Promise<HandlerResult> {
    const next = () => routeChoice(context, async () => byTrigger.get('follow_up')?.(context));
    return hasDialogs ? dialogs.answer(context, next) : next();
  }

  async function routeChange(context: DeliveryContext): Promise<HandlerResult> {
    const next = async () => byTrigger.get(context.delivery.trigger)?.(context);
    return context.reaction === undefined ? next() : routeChoice(context, next);
  }

  /** Takes a message as the answer to a question of `ctx.choose`, or passes it to `next`. */
  function routeChoice(context: DeliveryContext, next: RespondAsync): Promise<HandlerResult> {
    return choices.size === 0 ? next(context) : choices.answer(context, () => next(context));
  }

  /** Answers a message that is neither a command nor the answer to a dialog. */
  async function routeText(context: DeliveryContext): Promise<HandlerResult> {
    for (const { pattern, respond } of heard) {
      pattern.lastIndex = 0;
      const match = pattern.exec(context.text);
      if (match === null) continue;
      context.match = match;
      return respond(context);
    }
    const last = byTrigger.get(context.trigger) ?? otherwise;
    return last === undefined ? unknownReply(commands, context.text) : last(context);
  }

  /** The command that a message begins with, `help` included. */
  function commandIn(context: DeliveryContext): CommandCall | undefined {
    const found = commands.find(context.text);
    if (found !== undefined)
      return {
        fits: () => found.command.parse(found.rest).ok,
        run: () => runCommand(context, found),
      };
    const help = helpReply(commands, context.text);
    return help === undefined ? undefined : { fits: () => true, run: async () => help };
  }

  /** Runs a command if its user has the permission, and after its confirmation if it needs one. */
  async function runCommand(
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
    const { ask, ...how } = typeof confirm === 'function' ? { ask: confirm } : confirm;
    const question = await ask(context as unknown as CommandContext<never, never>);
    if (question === undefined || question === false) return respond(context);
    const text = question === true ? `${inlineCode(context.text)}: really?` : question;
    const asked = { line: context.text, askedBy: context.actor };
    return choices.choose(context, CONFIRM, confirmation(text, how, asked));
  }

  /** Runs a confirmed command line, if the person who gave it may still use the command. */
  async function runConfirmed(
    context: DeliveryContext,
    { line, askedBy }: ConfirmedCommand,
  ): Promise<HandlerResult> {
    const found = commands.find(line);
    // The command itself came as a mention.
    if (context.trigger === 'follow_up') context.trigger = 'mention';
    if (found === undefined) return 'That command is gone: I was changed in between.';
    context.commandOf = askedBy;
    // If another person confirms a command, the permission of the sender was checked when they
    // sent it.
    const isOwn = askedBy.id === context.actor.id;
    const value = { ...found.value, confirm: undefined };
    return runCommand(context, { ...found, value: isOwn ? value : { ...value, allow: undefined } });
  }

  return {
    /** Runs middleware and the handler that matches, with the session. */
    respond: (context: DeliveryContext): Promise<HandlerResult> => {
      record?.({
        action: 'received',
        trigger: context.trigger,
        messageId: context.message.id,
        userId: context.by?.id,
        conversation: context.conversation,
      });
      return (handle ??= handler())(context);
    },

    /** The changes of messages that have handlers, or that may answer questions. */
    changes: (): readonly ChangeTrigger[] =>
      changeTriggers.filter(
        (trigger) => byTrigger.has(trigger) || (trigger === 'reaction' && choices.size > 0),
      ),

    hasChangeHandlers: (): boolean => changeTriggers.some((trigger) => byTrigger.has(trigger)),

    command(usage: string, options: DeclaredOptions, respond: Respond): void {
      const { allow, confirm } = options;
      commands.add(commandOf(usage, options), { allow, confirm, respond });
      if (confirm === undefined || hasConfirmations) return;
      hasConfirmations = true;
      choices.add(CONFIRM, (context, choice) => {
        const confirmed = choice as Choice<ConfirmedCommand>;
        if (!isConfirmed(confirmed)) return 'All right, nothing was done.';
        return runConfirmed(context, confirmed.data);
      });
    },

    dialog(declared: Dialog<DeliveryContext, HandlerResult>): void {
      dialogs.add(declared);
      hasDialogs = true;
    },

    hears: (pattern: RegExp, respond: Respond) => void heard.push({ pattern, respond }),

    on(trigger: Trigger, respond: Respond): void {
      if (byTrigger.has(trigger)) throw taken(`for ${trigger}`);
      byTrigger.set(trigger, respond);
    },

    fallback(respond: Respond): void {
      if (otherwise !== undefined) throw taken('as a fallback');
      otherwise = respond;
    },

    use(added: Middleware<DeliveryContext>): void {
      if (handle !== undefined) throw new TypeError('Add middleware before the first message.');
      middleware.push(added);
    },
  };
}

/** The error for a second handler where only one can answer. */
export const taken = (what: string) =>
  new TypeError(`There is a handler ${what} already, and the first would answer everything.`);
