import type { AnyBot, BotOptions, RestAction } from '@bellhop/bot';
import type { Hooks } from '@bellhop/bot/hooks';

import type { FrameworkInternals } from '../bot-module.ts';

interface WorkbenchOptions {
  /** The internals of the copy of the framework that the bot uses. */
  readonly internals: FrameworkInternals;
  readonly options: BotOptions & { readonly api: NonNullable<BotOptions['api']> };
  readonly hooks: Hooks;
  /** Called with each action of the bot by REST. */
  readonly onAction: (action: RestAction) => void;
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
  { internals, options, hooks, onAction }: WorkbenchOptions,
): Workbench {
  const { createRest, observe, readDelivery, Runtime, sendReply } = internals;
  const rest = observe(createRest({ ...options.api, email: options.email ?? '' }), onAction);
  const bot = makeBot(options);
  // Without its store: a repeated delivery is handled again.
  const instead = { rest, store: undefined };
  const open = () => new Runtime(bot, { hooks, place: 'process', instead });
  let runtime = open();
  let stopWork = async () => {};
  const runtimes = new Set([runtime]);

  return {
    email: bot.email,
    async deliver(payload, again = false) {
      const received = readDelivery({ token: '', ...payload });
      if (received === undefined) throw new TypeError('This is not the payload of a webhook.');
      if (again) runtimes.add((runtime = open()));
      const { delivery } = received;
      const { dispatcher, services } = runtime;
      const reply = await dispatcher.accept(delivery);
      if (reply) await sendReply(services, delivery, reply);
      await dispatcher.ended(delivery);
    },
    async startWork() {
      stopWork = await runtime.startWork();
    },
    async stop() {
      await stopWork();
      await Promise.all(Array.from(runtimes, ({ dispatcher }) => dispatcher.idle()));
    },
    abort() {
      for (const { dispatcher } of runtimes) dispatcher.abort();
    },
  };
}
