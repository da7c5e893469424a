import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { unwatchFile, watchFile } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Delivery } from '@bellhop/bot/internals';

import { printNote } from '../print-chat.ts';

/** A message to the process of a version: begin, end, or handle a delivery, `again` as a new one. */
export type ToBot = 'start' | 'stop' | { readonly delivery: Delivery; readonly again: boolean };

/** The one message from the process of a version. */
export interface Loaded {
  /** The files that it imports. A file that does not exist is one too: making it may mend the bot. */
  readonly files: readonly string[];
  /** Why the bot cannot be loaded. */
  readonly trouble?: string;
}

interface NewestBotOptions {
  readonly path: string;
  /** Called at each load. */
  readonly environment: () => NodeJS.ProcessEnv;
  readonly storeDir: string;
}

export interface NewestBot {
  /** Resolves when a version has the delivery, or at the stop: deliveries wait while none runs. */
  readonly deliver: (delivery: Delivery, again: boolean) => Promise<void>;
  /** Waits for running handlers, up to GRACE_MS. */
  readonly stop: () => Promise<void>;
}

const extension = import.meta.filename.endsWith('.ts') ? 'ts' : 'js';
const program = fileURLToPath(new URL(`./bot-program.${extension}`, import.meta.url));

const GRACE_MS = 5000;
/** Files are polled: editors replace them, and mounted directories report no changes. */
const POLL_MS = 100;
/** Changes within this time are one: an editor changes a file several times per save. */
const QUIET_MS = 100;

/**
 * Runs the newest version of a bot that can be loaded, each in a process of its own, and loads the bot
 * again when one of its files changes. `node --watch` would end a version before the next is loaded. One
 * version ends before the next begins: they share the directory of the store.
 */
export function newestBot({ path, environment, storeDir }: NewestBotOptions): NewestBot {
  let watched = new Set<string>();
  let quiet: NodeJS.Timeout | undefined;
  let loading: ChildProcess | undefined;
  let running: ChildProcess | undefined;
  let runs = Promise.withResolvers<void>();
  let replacing = Promise.resolve();

  function watch(files: readonly string[]): void {
    const now = new Set(files);
    for (const file of watched) if (!now.has(file)) unwatchFile(file);
    for (const file of now) {
      if (watched.has(file)) continue;
      watchFile(file, { interval: POLL_MS }, (current, previous) => {
        // The first call for a file that does not exist.
        if (current.ino === 0 && previous.ino === 0) return;
        clearTimeout(quiet);
        quiet = setTimeout(() => {
          printNote(`${basename(file)} has changed`);
          load();
        }, QUIET_MS);
      });
    }
    watched = now;
  }

  function load(): void {
    loading?.kill('SIGKILL');
    const child = fork(program, [path, storeDir], {
      cwd: dirname(path),
      env: environment(),
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    loading = child;
    child.once('message', ({ files, trouble }: Loaded) => {
      if (child !== loading) return;
      loading = undefined;
      watch([...files, join(dirname(path), '.env')]);
      if (trouble === undefined) replacing = replacing.then(() => replaceBy(child));
      else tell(trouble);
    });
    child.once('exit', (code) => {
      if (child === loading) {
        loading = undefined;
        tell(`The bot's process ended with code ${code} before the bot was ready.`);
      } else if (child === running) {
        setRunning(undefined);
        tell(`The bot's process ended with code ${code}.`);
      }
    });
  }

  async function replaceBy(child: ChildProcess): Promise<void> {
    const previous = running;
    setRunning(undefined);
    await end(previous);
    if (hasEnded(child)) return tell(`The bot's process ended with code ${child.exitCode}.`);
    printNote(`${basename(path)} is loaded`);
    send(child, 'start');
    setRunning(child);
  }

  function setRunning(child: ChildProcess | undefined): void {
    // Those who wait already wait for the version to come.
    if (child) runs.resolve();
    else if (running) runs = Promise.withResolvers();
    running = child;
  }

  function tell(trouble: string): void {
    console.log(`\n${trouble}`);
    printNote(`${running ? 'The version before goes on' : 'Messages wait'} until the next save.`);
  }

  watch([path]);
  load();
  return {
    async deliver(delivery, again) {
      if (running === undefined) await runs.promise;
      if (running) send(running, { delivery, again });
    },
    async stop() {
      watch([]);
      clearTimeout(quiet);
      const abandoned = loading;
      loading = undefined;
      abandoned?.kill('SIGKILL');
      await replacing;
      const last = running;
      running = undefined;
      runs.resolve();
      await end(last);
    },
  };
}

// A process that has just ended takes no message: its end is told elsewhere.
const send = (child: ChildProcess, message: ToBot) => void child.send(message, () => undefined);

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null;

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || hasEnded(child)) return;
  const ended = once(child, 'exit');
  const timer = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  send(child, 'stop');
  await ended;
  clearTimeout(timer);
}
