import { serve } from './adapters/serve.ts';
import { type BotOptions, optionsFrom } from './bot-options.ts';
import type { Identity } from './check-identity.ts';
import { type AnyBot, internals } from './internals.ts';
import { openStores } from './open-stores.ts';
import { connect } from './queue/connect.ts';
import { requireNode } from './require-node.ts';
import { Runtime } from './runtime.ts';
import {
  checkStartOptions,
  portFrom,
  type StartOptions,
  type WebhookTransport,
} from './start-options.ts';
import { stopOnSignals } from './stop-on-signals.ts';
import type { Store } from './stores/store.ts';

/** One or more bots that have been started. */
export interface RunningBot<Url = string | undefined> {
  /** The address at which the bots receive webhooks. */
  readonly url: Url;
  /** Resolves when the bot is stopped; rejects if its event queue is refused for good. */
  readonly ended: Promise<void>;
  /**
   * Takes no more messages and waits for running handlers. After `graceMs` (default: 10 000, as
   * long as the server waits) it aborts their signals and goes on without them.
   */
  readonly stop: (graceMs?: number) => Promise<void>;
}

export type MakeBot = (options: BotOptions) => AnyBot;

export interface StoreOption {
  /** The store of the bot in production; a test of `makeBot` gives another one, or none. */
  readonly store?: Store;
}

/**
 * Starts bots, their schedules and their tasks. Rejects if the port is taken, or a store is locked by
 * another process or cannot be reached, for example.
 */
export function start(
  bots: AnyBot | readonly AnyBot[],
  options?: WebhookTransport,
): Promise<RunningBot<string>>;
export function start(bots: AnyBot | readonly AnyBot[], options: StartOptions): Promise<RunningBot>;
/**
 * Makes a bot with the options of `botOptions()` and starts it, on PORT and HOST if they are set.
 * Prints the address of the bot. If it does not start, prints why and ends the process with the exit
 * code 1; with the transport `none` the application goes on, and only the exit code is set.
 */
export function start(
  makeBot: MakeBot,
  options?: StartOptions & StoreOption,
): Promise<RunningBot | undefined>;
export function start(
  subject: AnyBot | readonly AnyBot[] | MakeBot,
  options: StartOptions & StoreOption = {},
): Promise<RunningBot | undefined> {
  if (typeof subject === 'function') return startFromEnvironment(subject, options);
  return startBots('email' in subject ? [subject] : subject, options);
}

async function startBots(bots: readonly AnyBot[], options: StartOptions): Promise<RunningBot> {
  requireNode();
  checkStartOptions(options);
  // A message may come before the schedules and tasks run.
  const idle = bots.filter((bot) => !bot[internals].routes.work.life.started);
  setStarted(idle, true);
  const { transport, stopWork } = await startParts(bots, options).catch((error: unknown) => {
    setStarted(idle, false);
    throw error;
  });
  const ended = Promise.withResolvers<void>();
  transport.failed.catch(ended.reject);
  ended.promise.catch(() => {});
  let ignoreSignals = () => {};
  let stopped: Promise<void> | undefined;
  const stop = (graceMs = 10_000): Promise<void> =>
    (stopped ??= Promise.all([transport.stop(graceMs), within(graceMs + 1000, stopWork())])
      .then(() => ended.resolve())
      .finally(() => ignoreSignals()));
  if (options.transport !== 'none' && options.signals !== false)
    ignoreSignals = stopOnSignals(stop);
  return { url: transport.url, ended: ended.promise, stop };
}

/** Starts the parts of bots. If one fails, stops the others and rejects. */
async function startParts(bots: readonly AnyBot[], options: StartOptions) {
  let transport: Transport | undefined;
  try {
    await openStores(bots);
    transport = await startTransport(bots, options);
    const { runtimes } = transport;
    if (options.transport !== 'queue')
      await Promise.all(runtimes.map((runtime) => runtime.requestChanges()));
    const stops = await Promise.all(runtimes.map((runtime) => runtime.startWork()));
    return {
      transport,
      stopWork: async () => void (await Promise.all(stops.map((stop) => stop()))),
    };
  } catch (error) {
    await transport?.stop(0);
    throw error;
  }
}

function setStarted(bots: readonly AnyBot[], started: boolean): void {
  for (const bot of bots) bot[internals].routes.work.life.started = started;
}

interface Transport {
  readonly runtimes: readonly Runtime[];
  readonly url?: string;
  /** Rejects if the bots cannot receive messages any more. */
  readonly failed: Promise<void>;
  readonly stop: (graceMs: number) => Promise<unknown>;
}

const never = new Promise<void>(() => {});

async function startTransport(bots: readonly AnyBot[], options: StartOptions): Promise<Transport> {
  if (options.transport === 'none') {
    const { hooks = {} } = options;
    const runtimes = bots.map((bot) => new Runtime(bot, { hooks, place: 'process' }));
    return { runtimes, failed: never, stop: async () => {} };
  }
  if (options.transport !== 'queue') return { ...(await serve(bots, options)), failed: never };
  const { transport: _transport, signals: _signals, ...connecting } = options;
  const attempts = await Promise.allSettled(bots.map((bot) => connect(bot, connecting)));
  const connections = attempts.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const stop = (graceMs: number) => Promise.all(connections.map((one) => one.stop(graceMs)));
  const failure = attempts.find((one) => one.status === 'rejected');
  if (failure) {
    await stop(0);
    throw failure.reason;
  }
  return {
    runtimes: connections.map(({ runtime }) => runtime),
    failed: Promise.race([never, ...connections.map(failureOf)]),
    stop,
  };
}

const failureOf = ({ ended }: { readonly ended: Promise<void> }) => ended.then(() => never);

async function within(ms: number, work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}

async function startFromEnvironment(
  makeBot: MakeBot,
  { store, ...options }: StartOptions & StoreOption,
): Promise<RunningBot | undefined> {
  const { PORT, HOST } = process.env;
  const listens = (options.transport ?? 'webhook') === 'webhook';
  try {
    const where = listens && {
      ...(PORT ? { port: portFrom(PORT) } : {}),
      ...(HOST ? { host: HOST } : {}),
    };
    requireNode();
    const made = optionsFrom(process.env, listens ? ['BOT_TOKEN'] : []);
    const { token: tokens = [], api } = made;
    const bot = makeBot({ ...made, ...(store && { store }) });
    const running = await startBots([bot], { ...where, ...options });
    const { url } = running;
    process.stdout.write(`${bot.email} ${url ? `listens on ${url}` : 'runs'}\n`);
    if (api && url !== undefined) void tellProblems({ bot, tokens, api, url });
    return running;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
    if (options.transport !== 'none') endSoon();
    return undefined;
  }
}

const END_MS = 1000;

/** Ends the process although something holds it, such as the connection of a Redis client. */
function endSoon(): void {
  setTimeout(() => process.exit(), END_MS).unref();
}

/** Loaded when needed: a bot starts faster without it. */
async function tellProblems(identity: Identity): Promise<void> {
  const { checkIdentity } = await import('./check-identity.ts');
  for (const problem of await checkIdentity(identity))
    process.stderr.write(`${problem}
`);
}
