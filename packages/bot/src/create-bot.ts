import type { Bot, ChoiceOptions } from './bot-builder.ts';
import { misconfigured } from './bot-error.ts';
import type { BotOptions, SessionBotOptions, SessionsBotOptions } from './bot-options.ts';
import type { Choice } from './choices/choice.ts';
import { systemClock } from './clock.ts';
import type { NameOptions, NamesOf, NoNames, TaskSchemas } from './declared-names.ts';
import { dialog } from './dialogs/dialog.ts';
import { type Failure, report } from './hooks.ts';
import { type AnyBot, internals } from './internals.ts';
import { observe } from './rest/observe.ts';
import { type HandlerResult, toReply } from './rest/reply.ts';
import { createRest } from './rest/rest.ts';
import { type ChoiceHandler, choiceRouter } from './routing/choice-router.ts';
import { CONFIRM, type ConfirmedCommand } from './routing/confirmation.ts';
import { dialogRouter } from './routing/dialog-router.ts';
import {
  type AnyHandler,
  changeTriggers,
  type DeclaredOptions,
  router,
  taken,
} from './routing/router.ts';
import { type AnyBotOptions, storedSessions } from './routing/stored-sessions.ts';
import { type BotServices, given } from './routing/turn.ts';
import {
  backgroundWork,
  type ScheduleHandler,
  type TaskContext,
  type TaskHandler,
} from './schedules/background-work.ts';
import type { ScheduleOptions } from './schedules/schedules.ts';
import { INTERNAL_TASK } from './schedules/tasks.ts';
import { memoryStore } from './stores/memory-store.ts';
import type { RecordAction } from './trust/audit.ts';
import { comparableTokens } from './webhook-token.ts';

/** Makes a bot. Throws BotError `config_invalid` when its e-mail is missing: there is no default. */
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
  const { token } = options;
  const email = options.email?.trim() ?? '';
  if (email === '')
    throw misconfigured('createBot: no email. Give the e-mail address of the bot user.');
  let explain: ((failure: Failure, context: never) => HandlerResult) | undefined;

  const clock = options.clock ?? systemClock;
  const store = options.store ?? memoryStore({ now: clock.now });
  const dialogs = dialogRouter({ store, now: clock.now });
  const { api, audit } = options;
  const record: RecordAction | undefined =
    audit && ((action) => report(audit, { ...action, botEmail: email, at: clock.now() }));
  const direct = api && createRest({ ...api, email });
  const rest = direct && record ? observe(direct, record) : direct;
  const sessions = storedSessions(options, { store });
  const schemas = options.tasks ?? {};
  const work = backgroundWork({ botEmail: email, clock, store, sessions, schemas });
  const choices = choiceRouter({
    store,
    now: clock.now,
    async later({ later, rest }, { afterMs, data, isPromised }) {
      if (isPromised) await later(MISSED_CHOICE, afterMs, data);
      // Without a handler the end of its time only shows in the message of the question.
      else if (rest !== undefined && endsQuestions && work.life.started)
        await later(END_OF_CHOICE, afterMs, data);
    },
  });
  let endsQuestions = false;
  /** Lets questions show that their time has passed. */
  function endQuestions(): void {
    if (endsQuestions || work.life.started) return;
    endsQuestions = true;
    const end: TaskHandler = ({ data }: { data: unknown }, services: BotServices) =>
      choices.expire(services, data);
    work.task(END_OF_CHOICE, end, true);
  }
  const timedOut = new Map<string, MissedHandler>();
  /** Calls a function when a question of this choice has not been answered in time. */
  function onTimedOut(choice: string, missed: MissedHandler): void {
    if (timedOut.size === 0)
      work.task(MISSED_CHOICE, async (context: TaskContext<unknown>, services: BotServices) => {
        const expired = await choices.expire(services, context.data);
        if (expired === undefined) return;
        await timedOut.get(expired.name)?.(Object.assign(context, expired.missed) as never);
      });
    timedOut.set(choice, missed);
  }
  const routes = router({ dialogs, choices, sessions, record });

  const bot: Bot<unknown> = {
    email,
    [internals]: {
      settings: {
        tokens: comparableTokens(email, token),
        clock,
        order: options.order ?? 'queue',
        typing: options.typing ?? true,
        handlerTimeoutMs: options.handlerTimeoutMs ?? 600_000,
        maxWaiting: options.maxWaiting ?? 100,
        maxRepliesPerMinute: options.maxRepliesPerMinute ?? 30,
        store: options.store,
        rest,
        followUps: options.followUps ?? true,
        record,
      },
      routes: {
        respond: routes.respond,
        changes: routes.changes,
        hasChangeHandlers: routes.hasChangeHandlers,
        choose: (turn, name, question) => choices.choose(turn, name, question),
        ask: (...asked) => choices.ask(...asked),
        begin: dialogs.begin,
        work,
        async explain(failure, turn) {
          const reply = toReply(explain?.(failure, given(turn))) ?? {
            content: `Something went wrong. Reference ${failure.reference}`,
          };
          const { afterFailure } = turn;
          return afterFailure === ''
            ? reply
            : { ...reply, content: `${reply.content}\n\n${afterFailure}` };
        },
      },
    },
    on(trigger, handler) {
      if (work.life.started && (changeTriggers as readonly string[]).includes(trigger))
        throw misconfigured(
          `on('${trigger}') is declared after the start of the bot, which has told the server what it gets: declare it before.`,
        );
      routes.on(trigger, handler);
      return bot;
    },
    command(usage: string, second: unknown, third?: unknown) {
      const [declared, handler] = optionsFirst<DeclaredOptions, AnyHandler>(second, third);
      routes.command(usage, declared, handler);
      const { confirm } = declared;
      if (confirm !== undefined) endQuestions();
      if (typeof confirm === 'object' && confirm.timedOut !== undefined)
        onTimedOut(CONFIRM, ({ data, conversation, post }) =>
          post((data as ConfirmedCommand).timedOut ?? '', conversation),
        );
      return bot;
    },
    dialog(name, steps, done, dialogOptions) {
      routes.dialog(dialog(name, steps, done, dialogOptions));
      return bot;
    },
    choice(
      name: string,
      handler: AnyChoiceHandler,
      { timedOut: missed }: ChoiceOptions<never> = {},
    ) {
      const answer: ChoiceHandler = (turn, choice) => handler(given(turn), choice as Choice<never>);
      choices.add(name, answer, missed !== undefined);
      endQuestions();
      if (missed !== undefined) onTimedOut(name, missed);
      return bot;
    },
    every(pattern: string, second: unknown, third?: unknown) {
      work.every(pattern, ...optionsFirst<ScheduleOptions, ScheduleHandler>(second, third));
      return bot;
    },
    task(name: string, handler: (context: never) => unknown) {
      work.task(name, (context) => handler(context));
      return bot;
    },
    hears(pattern, handler) {
      routes.hears(pattern, handler);
      return bot;
    },
    fallback(handler) {
      routes.fallback(handler);
      return bot;
    },
    use(added) {
      routes.use(added);
      return bot;
    },
    plugin(plugin) {
      plugin(bot);
      return bot;
    },
    catch(handler) {
      if (explain !== undefined) throw taken('for failures');
      explain = handler;
      return bot;
    },
  };
  return bot;
}

/** The arguments of a declaration whose options may be left out. */
const optionsFirst = <Options extends object, Handler>(second: unknown, third: unknown) =>
  (third === undefined ? [{}, second] : [second, third]) as [Options, Handler];

type AnyChoiceHandler = (
  context: never,
  choice: Choice<never>,
) => HandlerResult | Promise<HandlerResult>;

/** The tasks that end questions of `choose`: with a handler, and without one. */
const MISSED_CHOICE = `${INTERNAL_TASK}missed-choice`;
const END_OF_CHOICE = `${INTERNAL_TASK}end-of-choice`;
type MissedHandler = NonNullable<ChoiceOptions<never>['timedOut']>;
