import { misconfigured } from '../bot-error.ts';
import type { Choice } from '../choices/choice.ts';
import { commandTable, type FoundCommand } from '../commands/command-table.ts';
import { type AnyOptions, commandOf } from '../commands/command.ts';
import { helpReply, unknownReply } from '../commands/help-replies.ts';
import { inlineCode } from '../commands/markdown-code.ts';
import type { ChangeTrigger, Person, Trigger } from '../delivery.ts';
import type { Dialog } from '../dialogs/dialog.ts';
import { mentionIds } from '../mentions.ts';
import type { HandlerResult } from '../rest/reply.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { RecordAction } from '../trust/audit.ts';
import type { ChoiceRouter } from './choice-router.ts';
import {
  CONFIRM,
  type Confirmation,
  confirmation,
  type ConfirmedCommand,
  isConfirmed,
} from './confirmation.ts';
import type { DialogRouter } from './dialog-router.ts';
import { around, type Middleware } from './middleware.ts';
import { type Allowed, mayUse, refusal } from './permission.ts';
import { given, type Turn } from './turn.ts';
import { withSession } from './with-session.ts';

/** A handler, whose context the builder has typed. */
export type AnyHandler = (context: never) => HandlerResult | Promise<HandlerResult>;
type Respond = (turn: Turn) => Promise<HandlerResult>;

export type DeclaredOptions = AnyOptions & {
  readonly allow?: Allowed | undefined;
  readonly confirm?: Confirmation<never, never>['confirm'] | undefined;
};

interface DeclaredCommand {
  readonly allow: DeclaredOptions['allow'];
  readonly confirm: DeclaredOptions['confirm'];
  readonly handler: AnyHandler;
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
  const heard: { pattern: RegExp; handler: AnyHandler }[] = [];
  const byTrigger = new Map<Trigger, AnyHandler>();
  const middleware: Middleware<never>[] = [];
  let otherwise: AnyHandler | undefined;
  let hasDialogs = false;
  let hasConfirmations = false;
  /** Made of the middleware and the sessions at the first delivery. */
  let handle: Respond | undefined;

  function handled(): Respond {
    const inner = around(middleware, route);
    return sessions === undefined ? inner : withSession(sessions, inner);
  }

  function route(turn: Turn): Promise<HandlerResult> {
    if (turn.delivery.change !== undefined) return routeChange(turn);
    if (turn.context.trigger === 'follow_up') return routeFollowUp(turn);
    const command = commandIn(turn);
    const respondToText = () =>
      command === undefined ? routeChoice(turn, routeText) : command.run();
    if (!hasDialogs && !hasConfirmations) return respondToText();
    if (command !== undefined && command.fits()) return leave(turn).then(command.run);
    // An answer may begin with the name of a command.
    return hasDialogs ? dialogs.answer(turn, respondToText) : respondToText();
  }

  /** A command ends the dialog and drops the questions that wait for an answer of its sender. */
  async function leave(turn: Turn): Promise<void> {
    if (hasDialogs) await dialogs.leave(turn);
    if (hasConfirmations) await choices.forget(turn, CONFIRM);
  }

  /** Answers a message that is not addressed to the bot: no command, no `hears` and no fallback. */
  async function routeFollowUp(turn: Turn): Promise<HandlerResult> {
    const next = () => routeChoice(turn, async () => byTrigger.get('follow_up')?.(given(turn)));
    return hasDialogs ? dialogs.answer(turn, next) : next();
  }

  async function routeChange(turn: Turn): Promise<HandlerResult> {
    const next = async () => byTrigger.get(turn.delivery.trigger)?.(given(turn));
    return turn.context.reaction === undefined ? next() : routeChoice(turn, next);
  }

  /** Takes a message as the answer to a question of `ctx.choose`, or passes it to `next`. */
  function routeChoice(turn: Turn, next: Respond): Promise<HandlerResult> {
    return choices.size === 0 ? next(turn) : choices.answer(turn, () => next(turn));
  }

  /** Answers a message that is neither a command nor the answer to a dialog. */
  async function routeText(turn: Turn): Promise<HandlerResult> {
    const { context } = turn;
    for (const { pattern, handler } of heard) {
      pattern.lastIndex = 0;
      const match = pattern.exec(context.text);
      if (match === null) continue;
      context.match = match;
      return handler(given(turn));
    }
    const last = byTrigger.get(context.trigger) ?? otherwise;
    return last === undefined ? unknownReply(commands, context.text) : last(given(turn));
  }

  /** The command that a message begins with, `help` included. */
  function commandIn(turn: Turn): CommandCall | undefined {
    const { text } = turn.context;
    const found = commands.find(text);
    if (found !== undefined)
      return {
        fits: () => found.command.parse(found.rest).ok,
        run: () => runCommand(turn, found),
      };
    const help = helpReply(commands, text);
    return help === undefined ? undefined : { fits: () => true, run: async () => help };
  }

  /** Runs a command if its user has the permission, and after its confirmation if it needs one. */
  async function runCommand(
    turn: Turn,
    { command, value, rest, typed }: FoundCommand<DeclaredCommand>,
    askedBy: Person = turn.actor,
  ): Promise<HandlerResult> {
    const { allow, confirm, handler } = value;
    const { context } = turn;
    if (allow !== undefined && !(await mayUse(turn, allow))) return refusal(command.name, allow);
    const parsed = command.parse(rest, typed, mentionIds(context.message.renderedContent));
    if (!parsed.ok) return parsed.error.markdown;
    context.command = command.name;
    context.args = parsed.args;
    context.askedBy = askedBy;
    if (confirm === undefined) return handler(given(turn));
    const { ask, ...how } = typeof confirm === 'function' ? { ask: confirm } : confirm;
    const question = await ask(given(turn));
    if (question === undefined || question === false) return handler(given(turn));
    const text = question === true ? `${inlineCode(context.text)}: really?` : question;
    const asked = { line: context.text, askedBy: turn.actor };
    return choices.choose(turn, CONFIRM, confirmation(text, how, asked));
  }

  /** Runs a confirmed command line, if the person who gave it may still use the command. */
  async function runConfirmed(
    turn: Turn,
    { line, askedBy }: ConfirmedCommand,
  ): Promise<HandlerResult> {
    const found = commands.find(line);
    // The command itself came as a mention.
    if (turn.context.trigger === 'follow_up') turn.context.trigger = 'mention';
    if (found === undefined) return 'That command is gone: I was changed in between.';
    // If another person confirms a command, the permission of the sender was checked when they
    // sent it.
    const isOwn = askedBy.id === turn.actor.id;
    const value = { ...found.value, confirm: undefined };
    const command = { ...found, value: isOwn ? value : { ...value, allow: undefined } };
    return runCommand(turn, command, askedBy);
  }

  return {
    /** Runs middleware and the handler that matches, with the session. */
    respond: (turn: Turn): Promise<HandlerResult> => {
      const { context } = turn;
      record?.({
        action: 'received',
        trigger: context.trigger,
        messageId: context.message.id,
        userId: context.by?.id,
        conversation: context.conversation,
      });
      return (handle ??= handled())(turn);
    },

    /** The changes of messages that have handlers, or that may answer questions. */
    changes: (): readonly ChangeTrigger[] =>
      changeTriggers.filter(
        (trigger) => byTrigger.has(trigger) || (trigger === 'reaction' && choices.size > 0),
      ),

    hasChangeHandlers: (): boolean => changeTriggers.some((trigger) => byTrigger.has(trigger)),

    command(usage: string, options: DeclaredOptions, handler: AnyHandler): void {
      const { allow, confirm } = options;
      commands.add(commandOf(usage, options), { allow, confirm, handler });
      if (confirm === undefined || hasConfirmations) return;
      hasConfirmations = true;
      choices.add(CONFIRM, (turn, choice) => {
        const confirmed = choice as unknown as Choice<ConfirmedCommand>;
        if (!isConfirmed(confirmed)) return 'All right, nothing was done.';
        return runConfirmed(turn, confirmed.data);
      });
    },

    dialog(declared: Dialog<never, HandlerResult>): void {
      dialogs.add(declared);
      hasDialogs = true;
    },

    hears: (pattern: RegExp, handler: AnyHandler) => void heard.push({ pattern, handler }),

    on(trigger: Trigger, handler: AnyHandler): void {
      if (byTrigger.has(trigger)) throw taken(`for ${trigger}`);
      byTrigger.set(trigger, handler);
    },

    fallback(handler: AnyHandler): void {
      if (otherwise !== undefined) throw taken('as a fallback');
      otherwise = handler;
    },

    use(added: Middleware<never>): void {
      if (handle !== undefined) throw misconfigured('Add middleware before the first message.');
      middleware.push(added);
    },
  };
}

/** The error for a second handler where only one can answer. */
export const taken = (what: string) =>
  misconfigured(`There is a handler ${what} already, and the first would answer everything.`);
