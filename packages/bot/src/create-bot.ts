import type { Bot, ChoiceOptions, Handler } from './bot-builder.ts';
import { BotError } from './bot-error.ts';
import type { BotOptions, SessionBotOptions, SessionsBotOptions } from './bot-options.ts';
import { type ChoiceHandler, choiceRouter } from './choices/choice-router.ts';
import { CONFIRM, type ConfirmedCommand } from './choices/confirmation.ts';
import { systemClock } from './clock.ts';
import type { NameOptions, NamesOf, NoNames, TaskSchemas } from './declared-names.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { dialogRouter } from './dialogs/dialog-router.ts';
import { dialog, type Dialog } from './dialogs/dialog.ts';
import { expectAnswers } from './follow-ups/expect-answers.ts';
import { type Failure, logWarning, report } from './hooks.ts';
import { type AnyBot, internals } from './internals.ts';
import type { Middleware } from './middleware.ts';
import { type HandlerResult, toReply } from './reply.ts';
import { restReplySender } from './rest/rest-reply-sender.ts';
import { createRest } from './rest/rest.ts';
import { changeTriggers, type DeclaredOptions, type Respond, router, taken } from './router.ts';
import {
  type Life,
  type ScheduleContext,
  type TaskContext,
  backgroundWork,
} from './schedules/background-work.ts';
import { taskNotStarted } from './schedules/not-started.ts';
import type { ScheduleOptions } from './schedules/schedules.ts';
import { INTERNAL_TASK } from './schedules/tasks.ts';
import { changeSession } from './sessions/change-session.ts';
import type { InvalidSession } from './sessions/sessions.ts';
import { type AnyBotOptions, storedSessions } from './sessions/stored-sessions.ts';
import { memoryStore } from './stores/memory-store.ts';
import { auditedRest, type RecordAction } from './trust/audit.ts';
import { comparableTokens } from './webhook-token.ts';

/** Makes a bot. Throws when its e-mail or its token is missing: there is no default. */
export function createBot<Session>(options: SessionBotOptions<Session> & NoNames): Bot<Session>;
export function createBot<Sessions extends object>(
  options: SessionsBotOptions<Sessions> & NoNames,
): Bot<Sessions>;
export function createBot(options: BotOptions & NoNames): Bot;
export function createBot<
  Session,
  T extends TaskSchemas = TaskSchemas,
  const D extends string = string,
  const C extends string = string,
>(options: SessionBotOptions<Session> & NameOptions<T, D, C>): Bot<Session, NamesOf<T, D, C>>;
export function createBot<
  Sessions extends object,
  T extends TaskSchemas = TaskSchemas,
  const D extends string = string,
  const C extends string = string,
>(options: SessionsBotOptions<Sessions> & NameOptions<T, D, C>): Bot<Sessions, NamesOf<T, D, C>>;
export function createBot<
  T extends TaskSchemas = TaskSchemas,
  const D extends string = string,
  const C extends string = string,
>(options: BotOptions & NameOptions<T, D, C>): Bot<undefined, NamesOf<T, D, C>>;
export function createBot(
  options: AnyBotOptions & (NoNames | NameOptions<TaskSchemas, string, string>),
): AnyBot {
  const { email, token } = options;
  if (email === undefined || email.trim() === '') {
    throw new TypeError('createBot: no email. Give the e-mail address of the bot user.');
  }
  let explain: ((failure: Failure, context: DeliveryContext) => HandlerResult) | undefined;

  const untyped = <C>(handler: Handler<C>): Respond => handler as unknown as Respond;

  const clock = options.clock ?? systemClock;
  const store = options.store ?? memoryStore({ now: clock.now });
  const dialogs = dialogRouter({
    store,
    now: clock.now,
    onDropped: ({ dialog: name }) => {
      const message = `A dialog${name ? ` "${name}"` : ''} that waited for an answer is gone from the code.`;
      dropped(message);
    },
  });
  const warnings: AnyBot[typeof internals]['warnings'] = { tell: logWarning };
  const dropped = (message: string) =>
    warnings.tell({ code: 'stored_state_dropped', message, botEmail: email.trim() });
  const { api } = options;
  const { audit } = options;
  const record: RecordAction | undefined =
    audit && ((action) => report(audit, { ...action, botEmail: email.trim(), at: clock.now() }));
  const rest = api && auditedRest(createRest({ ...api, email: email.trim() }), record);
  const onInvalid = ({ problems }: InvalidSession) =>
    dropped(`A session did not fit its schema, and begins anew: ${problems.join('; ')}`);
  const stored = storedSessions(options, { store, onInvalid });
  const life: Life = { started: false };
  const work = backgroundWork({
    botEmail: email.trim(),
    clock,
    store,
    changeSession: changeSession(stored, email.trim()),
    schemas: options.tasks ?? {},
    life,
    onNotStarted: () => warnings.tell({ ...taskNotStarted, botEmail: email.trim() }),
  });
  const choices = choiceRouter({
    store,
    now: clock.now,
    later: async (afterMs, missed) => void (await work.later(MISSED_CHOICE, afterMs, missed)),
  });
  const timedOut = new Map<string, MissedHandler>();
  /** Calls a function when a question of this choice has not been answered in time. */
  function onTimedOut(choice: string, missed: MissedHandler): void {
    if (timedOut.size === 0)
      work.task(MISSED_CHOICE, async ({ data, post }) => {
        const expired = await choices.expire(data);
        const missing = expired && timedOut.get(expired.name);
        await missing?.({ ...expired?.missed, post } as Parameters<MissedHandler>[0]);
      });
    timedOut.set(choice, missed);
  }
  const routes = router({ dialogs, choices, sessions: stored, record });

  const bot: Bot<unknown> = {
    email: email.trim(),
    [internals]: {
      tokens: comparableTokens(email, token),
      clock,
      pauseClock: clock,
      order: options.order ?? 'queue',
      rest,
      replySender: rest && restReplySender(rest, email.trim()),
      followUps: undefined,
      expectAnswers:
        options.followUps === false
          ? async () => {}
          : expectAnswers({
              clock,
              warn: (warning) => warnings.tell({ ...warning, botEmail: email.trim() }),
            }),
      typing: options.typing ?? true,
      store: options.store,
      handlerTimeoutMs: options.handlerTimeoutMs ?? 600_000,
      maxWaiting: options.maxWaiting ?? 100,
      maxRepliesPerMinute: options.maxRepliesPerMinute ?? 30,
      respond: routes.respond,
      record,
      later: (name, at, data) => work.later(name, at, data),
      cancelTask: (id) => work.cancelTask(id),
      listTasks: () => work.listTasks(),
      life,
      declaredWork: work.declared,
      startWork: (access) => work.start(access),
      changes: routes.changes,
      needsChanges: routes.hasChangeHandlers,
      choose: (context, name, question) => choices.choose(context, name, question),
      begin: (context, name, texts) => dialogs.begin(context, name, texts),
      warnings,
      async explain(failure, context) {
        const reply = toReply(explain?.(failure, context)) ?? {
          content: `Something went wrong. Reference ${failure.reference}`,
        };
        const { afterFailure } = context;
        return afterFailure === ''
          ? reply
          : { ...reply, content: `${reply.content}\n\n${afterFailure}` };
      },
    },
    on(trigger, handler) {
      if (life.started && (changeTriggers as readonly string[]).includes(trigger))
        throw new BotError(
          'config_invalid',
          `on('${trigger}') is declared after the start of the bot, which has told the server what it gets: declare it before.`,
        );
      routes.on(trigger, untyped(handler));
      return bot;
    },
    command(usage: string, second: unknown, third?: unknown) {
      const [chosen, handler] = third === undefined ? [{}, second] : [second, third];
      const declared = chosen as DeclaredOptions;
      routes.command(usage, declared, handler as Respond);
      const { confirm } = declared;
      if (typeof confirm === 'object' && confirm.timedOut !== undefined)
        onTimedOut(CONFIRM, ({ data, conversation, post }) =>
          post((data as ConfirmedCommand).timedOut ?? '', conversation),
        );
      return bot;
    },
    dialog(name, steps, done, dialogOptions) {
      const made = dialog(name, steps, done, dialogOptions);
      routes.dialog(made as unknown as Dialog<DeliveryContext, HandlerResult>);
      return bot;
    },
    choice(name: string, handler: unknown, { timedOut: missed }: ChoiceOptions<never> = {}) {
      choices.add(name, handler as ChoiceHandler, missed !== undefined);
      if (missed !== undefined) onTimedOut(name, missed);
      return bot;
    },
    every(pattern: string, second: unknown, third?: unknown) {
      const [chosen, handler] = third === undefined ? [{}, second] : [second, third];
      work.every(
        pattern,
        chosen as ScheduleOptions,
        handler as (run: ScheduleContext<never>) => unknown,
      );
      return bot;
    },
    task(name: string, handler: (task: TaskContext<never, never>) => unknown) {
      work.task(name, handler);
      return bot;
    },
    hears(pattern, handler) {
      routes.hears(pattern, untyped(handler));
      return bot;
    },
    fallback(handler) {
      routes.fallback(untyped(handler));
      return bot;
    },
    use(added) {
      routes.use(added as unknown as Middleware<DeliveryContext>);
      return bot;
    },
    plugin(plugin) {
      plugin(bot);
      return bot;
    },
    catch(handler) {
      if (explain !== undefined) throw taken('for failures');
      explain = handler as unknown as typeof explain;
      return bot;
    },
  };
  return bot;
}

/** The task that ends a question of `ctx.choose`. */
const MISSED_CHOICE = `${INTERNAL_TASK}missed-choice`;
type MissedHandler = NonNullable<ChoiceOptions<never>['timedOut']>;
