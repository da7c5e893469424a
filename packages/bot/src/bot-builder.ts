import type { Choice, MissedChoice } from './choices/choice.ts';
import type { ArgsOf, CheckedUsage } from './commands/args-of.ts';
import type { CustomTypes } from './commands/argument-types.ts';
import type { CommandOptions, WithoutCustomTypes, WithCustomTypes } from './commands/command.ts';
import type {
  CommandContext,
  Context,
  EventContext,
  HeardContext,
  MessageContext,
} from './context.ts';
import type {
  ChoiceName,
  DialogName,
  FreeTaskName,
  Names,
  TaskData,
  TaskName,
} from './declared-names.ts';
import type { Trigger } from './delivery.ts';
import type { AnswersOf, DialogOptions, Steps } from './dialogs/dialog.ts';
import type { Failure } from './hooks.ts';
import type { AnyBot } from './internals.ts';
import type { HandlerResult } from './rest/reply.ts';
import type { Confirmation } from './routing/confirmation.ts';
import type { Middleware } from './routing/middleware.ts';
import type { Permission } from './routing/permission.ts';
import type { ScheduleContext, TaskContext, WorkContext } from './schedules/background-work.ts';
import type { ScheduleOptions } from './schedules/schedules.ts';
import type { JsonValue } from './stores/store.ts';

export type Handler<C> = (context: C) => HandlerResult | Promise<HandlerResult>;

export interface ChoiceOptions<Data, Session = undefined, N extends Names | undefined = undefined> {
  /** Called when nobody has answered in time. Needs `start` and `api`, as tasks do. */
  readonly timedOut?: (missed: MissedChoice<Data> & WorkContext<Session, N>) => unknown;
}

/**
 * A bot, to which handlers are added. The first that matches a message answers it, in this order:
 * commands, a dialog that waits for an answer, a choice that does, `hears`, `on`, `fallback`. Middleware
 * runs around them.
 */
export interface Bot<Session = undefined, N extends Names | undefined = undefined> extends AnyBot {
  /**
   * Answers mentions of the bot, or direct messages to it, that no command, dialog, choice or `hears`
   * matches; or `follow_up`: messages that do not mention it, in topics that `ctx.subscribe()` has
   * subscribed it to. Of the other handlers only dialogs and choices get a follow-up.
   *
   * Or `reaction`, `edit` and `delete`: people have changed a message of the bot, a direct message to
   * it, or a message in one of those topics. Needs `api`, and `start` for a bot with a webhook.
   */
  on<T extends Trigger>(trigger: T, handler: Handler<EventContext<T, Session, N>>): Bot<Session, N>;
  /**
   * Answers messages that begin with a command, in any letter case. The usage names the arguments:
   * `deploy <env:staging|prod> [ref=main] [--force]`. They are parsed, checked and typed by it; a
   * wrong argument is answered with a caret under it and the usage. `help` lists all commands.
   */
  command<const U extends string>(
    usage: CheckedUsage<U>,
    handler: Handler<CommandContext<ArgsOf<U>, Session, N>>,
  ): Bot<Session, N>;
  command<const U extends string, T extends CustomTypes>(
    usage: CheckedUsage<U, T>,
    options: CommandOptions<NoInfer<ArgsOf<U, T>>> &
      WithCustomTypes<T> &
      Permission<Session> &
      Confirmation<NoInfer<ArgsOf<U, T>>, Session>,
    handler: Handler<CommandContext<ArgsOf<U, T>, Session, N>>,
  ): Bot<Session, N>;
  command<const U extends string>(
    usage: CheckedUsage<U>,
    options: CommandOptions<NoInfer<ArgsOf<U>>> &
      WithoutCustomTypes &
      Permission<Session> &
      Confirmation<NoInfer<ArgsOf<U>>, Session>,
    handler: Handler<CommandContext<ArgsOf<U>, Session, N>>,
  ): Bot<Session, N>;
  /**
   * A conversation of named steps. Each asks a question and parses the answer with a schema; a wrong
   * answer repeats the question. The store keeps the answers under the names of the steps. A handler
   * begins the dialog with `ctx.begin(name)`; a command or the word cancel ends it.
   */
  dialog<A, S>(
    name: DialogName<N>,
    steps: S & Steps<A, MessageContext<Session, N>>,
    done: (
      context: MessageContext<Session, N>,
      answers: AnswersOf<S>,
    ) => HandlerResult | Promise<HandlerResult>,
    options?: DialogOptions,
  ): Bot<Session, N>;
  /**
   * Handles the answers to questions that a handler, a task or a schedule has asked with
   * `choose(name, ...)`, also after a restart. Each question is answered once, and its message then shows
   * by whom; if the handler fails, it can be answered again.
   */
  choice<Data = JsonValue>(
    name: ChoiceName<N>,
    handler: (
      context: MessageContext<Session, N>,
      choice: Choice<Data>,
    ) => HandlerResult | Promise<HandlerResult>,
    options?: ChoiceOptions<Data, Session, N>,
  ): Bot<Session, N>;
  /** Answers messages that contain a match of the pattern. Patterns are tried in the order of the code. */
  hears(pattern: RegExp, handler: Handler<HeardContext<Session, N>>): Bot<Session, N>;
  /**
   * Runs at the times of a cron pattern, once `start` has started the bot: `0 9 * * 1-5` is nine
   * o'clock on workdays. Of several processes that share a store, one runs each time. A bot that was
   * not started is warned of.
   */
  every(pattern: string, handler: (run: ScheduleContext<Session, N>) => unknown): Bot<Session, N>;
  every(
    pattern: string,
    options: ScheduleOptions,
    handler: (run: ScheduleContext<Session, N>) => unknown,
  ): Bot<Session, N>;
  /** Runs a task that a handler has scheduled with `ctx.later(name, ...)`, also after a restart. */
  task<T extends TaskName<N>>(
    name: T,
    handler: (task: TaskContext<TaskData<N, T>, Session, N>) => unknown,
  ): Bot<Session, N>;
  task<Data>(
    name: FreeTaskName<N>,
    handler: (task: TaskContext<Data, Session, N>) => unknown,
  ): Bot<Session, N>;
  /** Answers messages that no other handler matches. */
  fallback(handler: Handler<Context<Session, N>>): Bot<Session, N>;
  /** Runs around every handler, the first added outermost. */
  use(middleware: Middleware<EventContext<Trigger, Session, N>>): Bot<Session, N>;
  use(middleware: Middleware<EventContext<Trigger, Session>>): Bot<Session, N>;
  /** Lets a plugin add its handlers: a function that several bots can share. */
  plugin(plugin: (bot: Bot<Session, N>) => void): Bot<Session, N>;
  plugin(plugin: (bot: Bot<Session>) => void): Bot<Session, N>;
  /** Returns the reply to a message whose handler has failed; without it the reply is the reference. */
  catch(
    explain: (failure: Failure, context: EventContext<Trigger, Session, N>) => HandlerResult,
  ): Bot<Session, N>;
}
