import type { AnyBot, BotOptions } from '@bellhop/bot';
import type { Hooks } from '@bellhop/bot/hooks';

import type { FrameworkInternals } from '../bot-module.ts';
import { type RestWatcher, watchedRest } from './watched-rest.ts';

interface WorkbenchOptions {
  /** The internals of the copy of the framework that the bot uses. */
  readonly internals: FrameworkInternals;
  readonly options: BotOptions & { readonly api: NonNullable<BotOptions['api']> };
  readonly hooks: Hooks;
  readonly watcher: RestWatcher;
}

/** Runs a bot under development. */
export interface Workbench {
  readonly email: string;
  /**
   * Delivers the payload of a webhook, with or without its token. Resolves once the handler has ended
   * and its reply is sent. Rejects if the server refuses the reply or the payload is malformed. With
   * `again` the message counts as new, however often it was handled.
   */
  readonly deliver: (payload: object, again?: boolean) => Promise<void>;
  /** Starts the schedules and tasks of the bot. */
  readonly startWork: () => Promise<void>;
  /** Stops them and waits for running handlers. */
  readonly stop: () => Promise<void>;
  /** Aborts the signal of all handlers. */
  readonly abort: () => void;
}

/** Creates a workbench. Replies go by REST, because there is no webhook response to carry them. */
export function workbench(
  makeBot: (options: BotOptions) => AnyBot,
  { internals, options, hooks, watcher }: WorkbenchOptions,
): Workbench {
  const { createRest, DeliveryDispatcher, readDelivery, sendReply, startWork, withRest } =
    internals;
  const rest = watchedRest(createRest({ ...options.api, email: options.email ?? '' }), watcher);
  const bot = withRest(makeBot(options), rest);
  const open = () => new DeliveryDispatcher(bot, { hooks, deadlineMs: Infinity });
  let dispatcher = open();
  let stopWork = async () => {};
  const dispatchers = new Set([dispatcher]);

  return {
    email: bot.email,
    async deliver(payload, again = false) {
      const received = readDelivery({ token: '', ...payload });
      if (received === undefined) throw new TypeError('This is not the payload of a webhook.');
      if (again) dispatchers.add((dispatcher = open()));
      const { delivery } = received;
      const at = dispatcher;
      const reply = await at.accept(delivery);
      if (reply) await sendReply(bot, delivery, reply);
      await at.ended(delivery);
    },
    async startWork() {
      stopWork = await startWork([bot], hooks);
    },
    async stop() {
      await stopWork();
      await Promise.all(Array.from(dispatchers, (one) => one.idle()));
    },
    abort() {
      for (const one of dispatchers) one.abort();
    },
  };
}
