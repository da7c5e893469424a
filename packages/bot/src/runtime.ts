import { requestChanges } from './changes/request-changes.ts';
import { DeliveryDispatcher } from './deliveries/delivery-dispatcher.ts';
import { expectAnswers } from './follow-ups/expect-answers.ts';
import { webhookFollowUps } from './follow-ups/follow-ups.ts';
import { type Failure, type Hooks, logFailure, logWarning, report, type Warn } from './hooks.ts';
import { type AnyBot, internals } from './internals.ts';
import { neverRings, notStarted, type Place, taskNotStarted } from './not-started.ts';
import { restReplySender } from './rest/rest-reply-sender.ts';
import { requireRest } from './rest/rest.ts';
import type { BotServices } from './routing/turn.ts';

export interface RuntimeOptions {
  readonly hooks?: Hooks;
  /** How long an answer may take, in milliseconds; later replies are sent by REST. Default: Infinity. */
  readonly deadlineMs?: number;
  readonly place: Place;
  /** Services in place of those that the options of the bot make: in tests and development. */
  readonly instead?: Partial<BotServices>;
}

/** How long after it was mounted a bot that was not started is told of, in milliseconds. */
const TELL_MS = 10_000;

/**
 * One bot where it is mounted: it owns what happens there. `start`, every adapter, the queue and
 * `chat` make it. It hands deliveries to the handlers, tells the hooks of this place, runs schedules
 * and tasks, and asks the server for changes of messages; what cannot run here it refuses, or warns of.
 */
export class Runtime {
  readonly bot: AnyBot;
  readonly services: BotServices;
  readonly #options: RuntimeOptions;
  #dispatcher: DeliveryDispatcher | undefined;
  #isToldNotStarted = false;
  #isTaskTold = false;

  constructor(bot: AnyBot, options: RuntimeOptions) {
    this.bot = bot;
    this.#options = options;
    this.services = { ...this.#servicesOf(bot), ...options.instead };
  }

  get hooks(): Hooks {
    return this.#options.hooks ?? {};
  }

  /** Hands deliveries to the handlers. Made when it is asked for: a place may only run schedules. */
  get dispatcher(): DeliveryDispatcher {
    const { deadlineMs = Infinity } = this.#options;
    return (this.#dispatcher ??= new DeliveryDispatcher(this.services, {
      hooks: this.hooks,
      deadlineMs,
    }));
  }

  /** Begins to take deliveries. A program that runs on is told soon what its bot does not do there. */
  mounted(): void {
    void this.dispatcher;
    if (this.#options.place === 'process')
      this.services.clock.after(TELL_MS, () => this.warnIfNotStarted());
  }

  /** Starts schedules and tasks, unless they run. Resolves with a function that stops them. */
  async startWork(): Promise<() => Promise<void>> {
    const { work } = this.bot[internals].routes;
    const { onError = logFailure } = this.hooks;
    const { rest, warn } = this.services;
    if (rest === undefined && work.declared().any)
      warn(
        'api_missing',
        'The schedules and tasks of the bot fail: give createBot `api: { url, apiKey }`.',
      );
    const tellFailure = (failure: Failure) => report(onError, failure);
    const { services } = this;
    return work.start({
      services,
      ask: (choice, question) => services.ask(services, choice, question),
      onError: tellFailure,
    });
  }

  /** Asks the server for the changes of messages that the bot handles. */
  async requestChanges(): Promise<void> {
    await requestChanges(this.bot[internals].routes, this.services);
  }

  /** Warns, once, of what the bot has declared and nothing in this program makes happen. */
  warnIfNotStarted(): void {
    if (this.#isToldNotStarted) return;
    this.#isToldNotStarted = true;
    for (const { code, message } of notStarted(this.bot, this.#options.place))
      this.services.warn(code, message);
  }

  #servicesOf(bot: AnyBot): BotServices {
    const { settings, routes } = bot[internals];
    const { clock } = settings;
    const { rest } = { ...settings, ...this.#options.instead };
    const { onWarning = logWarning } = this.hooks;
    const warn: Warn = (code, message, error) => {
      const told = { code, message, botEmail: bot.email };
      report(onWarning, error === undefined ? told : { ...told, error });
    };
    return {
      email: bot.email,
      clock,
      pauseClock: clock,
      order: settings.order,
      typing: settings.typing,
      handlerTimeoutMs: settings.handlerTimeoutMs,
      maxWaiting: settings.maxWaiting,
      maxRepliesPerMinute: settings.maxRepliesPerMinute,
      store: settings.store,
      rest,
      replySender: rest && restReplySender(rest),
      followUps: () => webhookFollowUps(requireRest(rest)),
      expectAnswers: settings.followUps ? expectAnswers({ clock, warn }) : async () => {},
      warn,
      record: settings.record,
      respond: routes.respond,
      explain: routes.explain,
      choose: routes.choose,
      ask: routes.ask,
      begin: routes.begin,
      cancelTask: routes.work.cancelTask,
      listTasks: routes.work.listTasks,
      later: async (name, at, data) => {
        this.#admitTask();
        return routes.work.later(name, at, data);
      },
    };
  }

  /** Refuses a task that nothing can ever run, and warns of one that only another program can. */
  #admitTask(): void {
    const { place } = this.#options;
    const { work } = this.bot[internals].routes;
    if (work.life.started || place === 'test') return;
    if (work.store.singleProcess === true) throw neverRings(place);
    if (this.#isTaskTold) return;
    this.#isTaskTold = true;
    this.services.warn('not_started', taskNotStarted(place));
  }
}
