import { fork } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { FromBot, Payload, StoreCall, ToBot } from './dev-wire.ts';

/** A bot in a process of its own, so that a new version can replace it. */
export interface BotProcess {
  /** Resolves once the bot has handled the message, or its process has ended. */
  readonly deliver: (payload: Payload, again?: boolean) => Promise<void>;
  /** Resolves with the exit code; null if a signal ended the process. */
  readonly ended: Promise<number | null>;
  /** Waits up to `graceMs` for running handlers, then kills the process. */
  readonly stop: (graceMs?: number) => Promise<void>;
}

/** The result of a start. `files` are those that the module imports: a change may repair it. */
export type StartResult = { readonly files: readonly string[] } & (
  | { readonly bot: BotProcess }
  | { readonly trouble: string }
);

interface BotProcessOptions {
  readonly path: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly store: (call: StoreCall) => Promise<unknown>;
  /** Kills the process while it loads the bot. */
  readonly signal: AbortSignal;
}

const extension = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
const program = fileURLToPath(new URL(`./bot-program.${extension}`, import.meta.url));

/** Starts a process that loads a bot's module. Never rejects: the result has the trouble instead. */
export async function startBotProcess({
  path,
  environment,
  store,
  signal,
}: BotProcessOptions): Promise<StartResult> {
  const child = fork(program, [path], {
    cwd: dirname(path),
    env: environment,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // JSON would drop undefined, which the options of a store may hold.
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null);
  const waiting = new Map<number, () => void>();
  const loaded = Promise.withResolvers<StartResult>();
  let last = 0;

  const send = (message: ToBot) => void (child.connected && child.send(message, () => undefined));
  const bot: BotProcess = {
    ended,
    deliver(payload, again = false) {
      const number = ++last;
      return new Promise((resolve) => {
        waiting.set(number, resolve);
        if (!child.connected) return resolveAll();
        send({ kind: 'deliver', number, payload, again });
      });
    },
    async stop(graceMs = 5000) {
      send({ kind: 'stop' });
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await ended;
      clearTimeout(timer);
    },
  };
  const resolveAll = () => {
    for (const resolve of waiting.values()) resolve();
    waiting.clear();
  };
  const answers: { [K in FromBot['kind']]: (message: Extract<FromBot, { kind: K }>) => unknown } = {
    ready: ({ files }) => loaded.resolve({ bot, files }),
    broken: ({ message, files }) => loaded.resolve({ trouble: message, files }),
    handled({ number }) {
      waiting.get(number)?.();
      waiting.delete(number);
    },
    store: ({ number, call }) =>
      store(call).then(
        (value) => send({ kind: 'stored', number, value }),
        (error: unknown) => send({ kind: 'stored', number, error: String(error) }),
      ),
  };
  child.on('message', (message: FromBot) => answers[message.kind](message as never));
  const kill = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  void loaded.promise.then(() => signal.removeEventListener('abort', kill));
  void ended.then((code) => {
    resolveAll();
    const trouble = `The bot's process ended with code ${code} before the bot was ready.`;
    loaded.resolve({ trouble, files: [path] });
  });
  return loaded.promise;
}
