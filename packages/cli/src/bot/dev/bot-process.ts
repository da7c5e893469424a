import { fork } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { FromBot, Payload, StoreCall, ToBot } from './dev-wire.ts';

/** A bot that runs in a process of its own, so that it can be loaded afresh. */
export interface BotProcess {
  /** Resolves when the bot has dealt with it, or cannot any more. */
  readonly deliver: (payload: Payload, again?: boolean) => Promise<void>;
  /** Resolves with its exit code; null for one that was killed. */
  readonly ended: Promise<number | null>;
  /** Lets running handlers end, for at most `graceMs`. */
  readonly stop: (graceMs?: number) => Promise<void>;
}

/** What came of starting one, and the files whose change makes another attempt worth while. */
export type Attempt = { readonly files: readonly string[] } & (
  | { readonly bot: BotProcess }
  | { readonly trouble: string }
);

interface BotProcessOptions {
  readonly path: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly store: (call: StoreCall) => Promise<unknown>;
  /** Ends it while it is being loaded. */
  readonly signal: AbortSignal;
}

const program = fileURLToPath(new URL('./bot-program.ts', import.meta.url));

/** Starts a bot's module. Never rejects: a module that cannot be loaded is an attempt with trouble. */
export async function startBotProcess({
  path,
  environment,
  store,
  signal,
}: BotProcessOptions): Promise<Attempt> {
  const child = fork(program, [path], {
    cwd: dirname(path),
    env: environment,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Carries undefined, which a store's options may hold.
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null);
  const waiting = new Map<number, () => void>();
  const loaded = Promise.withResolvers<Attempt>();
  let last = 0;

  const tell = (message: ToBot) => void (child.connected && child.send(message, () => undefined));
  const bot: BotProcess = {
    ended,
    deliver(payload, again = false) {
      const number = ++last;
      return new Promise((resolve) => {
        waiting.set(number, resolve);
        if (!child.connected) return settleAll();
        tell({ kind: 'deliver', number, payload, again });
      });
    },
    async stop(graceMs = 5000) {
      tell({ kind: 'stop' });
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      await ended;
      clearTimeout(timer);
    },
  };
  const settleAll = () => {
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
        (value) => tell({ kind: 'stored', number, value }),
        (error: unknown) => tell({ kind: 'stored', number, error: String(error) }),
      ),
  };
  child.on('message', (message: FromBot) => answers[message.kind](message as never));
  const giveUp = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', giveUp, { once: true });
  void loaded.promise.then(() => signal.removeEventListener('abort', giveUp));
  void ended.then((code) => {
    settleAll();
    const trouble = `The bot's process ended with code ${code} before the bot was ready.`;
    loaded.resolve({ trouble, files: [path] });
  });
  return loaded.promise;
}
