import type { Confirmation, Permission } from './command-router.ts';
import type { ArgsOf, CheckedUsage } from './commands/args-of.ts';
import type { CustomTypes } from './commands/argument-types.ts';
import type { CommandOptions, NoOwnTypes, OwnTypes } from './commands/command.ts';
import type { CommandContext, Context, Contexts, HeardContext } from './context.ts';
import type { Trigger } from './delivery.ts';
import type { AnswersOf, DialogOptions, Steps } from './dialogs/dialog.ts';
import type { Failure } from './hooks.ts';
import type { AnyBot } from './internals.ts';
import type { Middleware } from './middleware.ts';
import type { HandlerResult } from './reply.ts';
import type { ScheduleContext, TaskContext } from './schedules/background-work.ts';
import type { ScheduleOptions } from './schedules/schedules.ts';

export type Handler<C> = (context: C) => HandlerResult | Promise<HandlerResult>;

/** Adds handlers to a bot: what several bots have in common. */
export type Plugin<Session> = (bot: Bot<Session>) => void;

/**
 * A bot, and how handlers are added to it. The first that matches answers: a command, a dialog that
 * waits, what the bot hears, the trigger, the fallback. Middleware runs around all of them.
 */
export interface Bot<Session = undefined> extends AnyBot {
  /** Answers direct messages to the bot, or mentions of it, that nothing before did. */
  on<T extends Trigger>(trigger: T, handler: Handler<Contexts<Session>[T]>): Bot<Session>;
  /**
   * Answers messages that begin with a command, in capitals or not. The usage says what follows:
   * `deploy <env:staging|prod> [ref=main] [--force]`; the arguments are read, checked and typed by
   * it, and who types something else is shown where. `help` lists all commands.
   */
  command<const U extends string>(
    usage: CheckedUsage<U>,
    handler: Handler<CommandContext<ArgsOf<U>, Session>>,
  ): Bot<Session>;
  command<const U extends string, T extends CustomTypes>(
    usage: CheckedUsage<U, T>,
    options: CommandOptions<NoInfer<ArgsOf<U, T>>> &
      OwnTypes<T> &
      Permission<Session> &
      Confirmation<NoInfer<ArgsOf<U, T>>>,
    handler: Handler<CommandContext<ArgsOf<U, T>, Session>>,
  ): Bot<Session>;
  command<const U extends string>(
    usage: CheckedUsage<U>,
    options: CommandOptions<NoInfer<ArgsOf<U>>> &
      NoOwnTypes &
      Permission<Session> &
      Confirmation<NoInfer<ArgsOf<U>>>,
    handler: Handler<CommandContext<ArgsOf<U>, Session>>,
  ): Bot<Session>;
  /**
   * A conversation of named steps: each asks a question, reads the answer by a schema and asks again
   * what it refuses. What was answered is kept in the store, under the names of the steps. A handler
   * begins it with `ctx.begin(name)`; a command, or the word cancel, leaves it.
   */
  dialog<A, S>(
    name: string,
    steps: S & Steps<A, Context<Session>>,
    done: (
      context: Context<Session>,
      answers: AnswersOf<S>,
    ) => HandlerResult | Promise<HandlerResult>,
    options?: DialogOptions,
  ): Bot<Session>;
  /** Answers messages in which the pattern is found; patterns are tried in the order they came. */
  hears(pattern: RegExp, handler: Handler<HeardContext<Session>>): Bot<Session>;
  /**
   * Runs whenever a cron pattern says: `0 9 * * 1-5` is nine on workdays. Begins when the bot is
   * served or connected, or by `startWork`. With a shared store, several processes run each time once together.
   */
  every(pattern: string, handler: (run: ScheduleContext) => unknown): Bot<Session>;
  every(
    pattern: string,
    options: ScheduleOptions,
    handler: (run: ScheduleContext) => unknown,
  ): Bot<Session>;
  /** Does what a handler has put off by `ctx.later(name, ...)`, also after a restart. */
  task<Data>(name: string, handler: (task: TaskContext<Data>) => unknown): Bot<Session>;
  /** Answers what nothing else did. */
  fallback(handler: Handler<Context<Session>>): Bot<Session>;
  /** Runs around every handler, the first added outermost. */
  use(middleware: Middleware<Context<Session>>): Bot<Session>;
  /** Lets a plugin add its handlers. */
  plugin(plugin: Plugin<Session>): Bot<Session>;
  /** Says what users are told when a handler fails. Without it they are given the reference. */
  catch(explain: (failure: Failure, context: Context<Session>) => HandlerResult): Bot<Session>;
}
