import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { unwatchFile, watchFile } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Delivery } from '@bellhop/bot/internals';

import { excerpt, printNote } from '../print-chat.ts';

/** A delivery for the process of a version, `again` as a new one. Its number is its own. */
export interface Given {
  readonly number: number;
  readonly delivery: Delivery;
  readonly again: boolean;
}

/** A message to the process of a version: begin, end, or handle a delivery. */
export type ToBot = 'start' | 'stop' | Given;

/** A message from the process of a version: the handler of a delivery begins, or the delivery has ended. */
export type Progress = { readonly begins: number } | { readonly ended: number };

/** The first message from the process of a version. */
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
  /** Waits for running handlers, up to GRACE_MS. Prints what they have not answered. */
  readonly stop: () => Promise<void>;
}

const program = fileURLToPath(import.meta.resolve('#bot-program'));

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
  const children = new Set<ChildProcess>();
  let newest = 0;
  let isStopping = false;
  /** What versions have been given and not ended. */
  const open = new Map<number, Given & { readonly child: ChildProcess; begins: boolean }>();
  /** What a version had not begun when it ended, for the next one. */
  const left: Given[] = [];

  // A second Ctrl-C ends this process at once, and a busy handler would not notice.
  const killAll = () => {
    for (const child of children) child.kill('SIGKILL');
  };
  process.on('exit', killAll);

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
    loading = undefined;
    let env: NodeJS.ProcessEnv;
    try {
      env = environment();
    } catch (error) {
      return tell(error instanceof Error ? error.message : String(error));
    }
    const child = fork(program, [path, storeDir], {
      cwd: dirname(path),
      env,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    loading = child;
    children.add(child);
    child.once('message', ({ files, trouble }: Loaded) => {
      if (child !== loading) return;
      loading = undefined;
      watch([...files, join(dirname(path), '.env')]);
      if (trouble === undefined) replacing = replacing.then(() => replaceBy(child));
      else tell(trouble);
      child.on('message', follow);
    });
    child.once('exit', (code) => {
      children.delete(child);
      if (child === loading) {
        loading = undefined;
        tell(`The bot's process ended with code ${code} before the bot was ready.`);
      } else if (child === running) {
        setRunning(undefined);
        tell(`The bot's process ended with code ${code}.`);
        replacing = replacing.then(() => takeBack(child));
      }
    });
  }

  function follow(progress: Progress): void {
    if ('ended' in progress) return void open.delete(progress.ended);
    const given = open.get(progress.begins);
    if (given) given.begins = true;
  }

  function give(child: ChildProcess, given: Given): void {
    open.set(given.number, { ...given, child, begins: false });
    send(child, given);
  }

  /** Says which handlers a version that has ended had begun, and keeps what it had not begun. */
  async function takeBack(child: ChildProcess): Promise<void> {
    // It may have told more than was read before its end.
    if (child.connected) await once(child, 'disconnect');
    const own = [...open.values()].filter((one) => one.child === child);
    for (const { number } of own) open.delete(number);
    const begun = own.filter(({ begins }) => begins);
    if (begun.length > 0) printNote(`Not answered, the handler was ended: ${textsOf(begun)}`);
    const waiting = own.flatMap(({ number, delivery, again, begins }) =>
      begins ? [] : [{ number, delivery, again }],
    );
    if (waiting.length > 0)
      printNote(`${isStopping ? 'Not handled' : 'Left to the next version'}: ${textsOf(waiting)}`);
    if (running) for (const given of waiting) give(running, given);
    else left.push(...waiting);
  }

  async function replaceBy(child: ChildProcess): Promise<void> {
    const previous = running;
    setRunning(undefined);
    await endVersion(previous);
    if (hasEnded(child)) return tell(`The bot's process ended with code ${child.exitCode}.`);
    printNote(`${basename(path)} is loaded`);
    send(child, 'start');
    for (const given of left.splice(0)) give(child, given);
    setRunning(child);
  }

  async function endVersion(child: ChildProcess | undefined): Promise<void> {
    if (child === undefined) return;
    if ((await end(child)) === 'killed')
      printNote(`The version before ran on for ${GRACE_MS / 1000} s and was ended`);
    await takeBack(child);
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
      if (running) give(running, { number: ++newest, delivery, again });
    },
    async stop() {
      isStopping = true;
      watch([]);
      clearTimeout(quiet);
      const abandoned = loading;
      loading = undefined;
      abandoned?.kill('SIGKILL');
      await replacing;
      const last = running;
      running = undefined;
      runs.resolve();
      await endVersion(last);
      process.off('exit', killAll);
    },
  };
}

// A process that has just ended takes no message: its end is told elsewhere.
const send = (child: ChildProcess, message: ToBot) => void child.send(message, () => undefined);

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null;

/** Asks a process to end, and kills it after GRACE_MS. */
async function end(child: ChildProcess): Promise<'ended' | 'killed'> {
  if (hasEnded(child)) return 'ended';
  let result: 'ended' | 'killed' = 'ended';
  const ended = once(child, 'exit');
  const timer = setTimeout(() => {
    result = 'killed';
    child.kill('SIGKILL');
  }, GRACE_MS);
  send(child, 'stop');
  await ended;
  clearTimeout(timer);
  return result;
}

/** The messages, each as the beginning of its text. */
const textsOf = (all: readonly Given[]) =>
  all.map(({ delivery: { message } }) => excerpt(message.content)).join(', ');
