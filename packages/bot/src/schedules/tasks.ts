import { randomUUID } from 'node:crypto';

import { BotError } from '../bot-error.ts';
import type { Clock } from '../clock.ts';
import { type Claim, ClaimWatch, isShared, readRecord, takeClaim } from '../stores/claim.ts';
import type { JsonValue, Store } from '../stores/store.ts';

/** A task that is due. */
export interface DueTask {
  readonly name: string;
  readonly data: JsonValue;
  /** When the task was due, in milliseconds since 1970; after a restart it may be long ago. */
  readonly dueAt: number;
}

/** A task that waits for its time. */
export interface ScheduledTask extends DueTask {
  readonly id: string;
}

interface TasksOptions {
  readonly store: Store;
  readonly botEmail: string;
  readonly clock: Clock;
  /** Whether the bot can perform tasks of this name. */
  readonly isDeclared: (name: string) => boolean;
  readonly perform: (task: DueTask) => Promise<void>;
  readonly onError: (error: unknown, name: string) => void;
}

/** The scheduled tasks of a bot, kept in its store. */
export interface Tasks {
  /** Schedules a task. Resolves with its id when it is stored. */
  readonly add: (task: DueTask) => Promise<string>;
  /** Removes a task that does not run yet. False if there is none. */
  readonly cancel: (id: string) => Promise<boolean>;
  /** The tasks that do not run yet, by the time when they are due. */
  readonly list: () => Promise<readonly ScheduledTask[]>;
  /**
   * Starts to run tasks, first those that were due while no process ran. Resolves when the stored tasks
   * have been looked for.
   */
  readonly start: () => Promise<void>;
  /** Starts no more tasks. Resolves when the running ones have ended. */
  readonly stop: () => Promise<void>;
}

/** The names of the framework's own tasks begin with this. */
export const INTERNAL_TASK = 'bellhop:';

/** The longest timer: the clock may be set, and the machine may sleep. */
const MAX_TIMER_MS = 60_000;
/** How often a process looks for the tasks of processes that have died. */
const SEARCH_MS = 60_000;
/** Wait after a failure of the store, and between two looks at the claim of another process. */
const RETRY_MS = 5000;
/** Waits after failed attempts, in milliseconds; after the last attempt the task is dropped. */
const RETRY_DELAYS_MS = [5000, 60_000, 600_000];

type StoredTask = {
  readonly name: string;
  readonly data: JsonValue;
  readonly due_at: number;
  /** The time of the next attempt. */
  readonly run_at: number;
  readonly attempts: number;
};

/**
 * Runs each task when it is due, in one of the processes that share the store: that process claims
 * the task and renews its claim until the task has ended. A failed task runs again up to three times;
 * a task whose process has died runs again in another one.
 */
export function tasks({
  store,
  botEmail,
  clock,
  isDeclared,
  perform,
  onError,
}: TasksOptions): Tasks {
  const prefix = `task:${botEmail.toLowerCase()}:`;
  const timers = new Map<string, () => void>();
  const watches = new Map<string, ClaimWatch>();
  const activeAttempts = new Map<string, Promise<void>>();
  /** Tasks that this program does not declare. They stay in the store for one that does. */
  const undeclared = new Set<string>();
  let running = false;
  let stopSearching = () => {};

  function wait(key: string, at: number): void {
    if (!running) return;
    timers.get(key)?.();
    const ms = Math.min(Math.max(0, at - clock.now()), MAX_TIMER_MS);
    const cancel = clock.after(ms, () => {
      timers.delete(key);
      if (at > clock.now()) return wait(key, at);
      const work = attempt(key).catch((error: unknown) => {
        onError(error, key);
        if (!undeclared.has(key)) wait(key, clock.now() + RETRY_MS);
      });
      activeAttempts.set(key, work);
      void work.finally(() => activeAttempts.delete(key));
    });
    timers.set(key, cancel);
  }

  async function attempt(key: string): Promise<void> {
    const claim = await claimTask(key);
    if (claim === undefined) return;
    const { name, data, due_at, attempts } = claim.value;
    try {
      await perform({ name, data, dueAt: due_at });
    } catch (error) {
      onError(error, name);
      const delayMs = RETRY_DELAYS_MS[attempts];
      if (delayMs === undefined) return claim.remove();
      const run_at = clock.now() + delayMs;
      await claim.end({ ...claim.value, attempts: attempts + 1, run_at });
      return wait(key, run_at);
    }
    // A task that has been performed never runs again because the store fails: remove() repeats itself.
    await claim.remove();
  }

  /** Claims a task that is due. Undefined if it is gone, or if it waits: then for `wait`. */
  async function claimTask(key: string): Promise<Claim<StoredTask> | undefined> {
    const watch = watches.get(key) ?? new ClaimWatch({ store, clock });
    watches.delete(key);
    const found = await readRecord<StoredTask>(store, key);
    if (found === undefined) return undefined;
    const { value, version, holder } = found;
    if (!isDeclared(value.name)) {
      undeclared.add(key);
      const message = `The task "${value.name}" is stored, but not declared: it does not run.`;
      throw new BotError('config_invalid', message);
    }
    if (holder === null && value.run_at > clock.now()) {
      wait(key, value.run_at);
      return undefined;
    }
    if (holder === null || watch.isAbandoned(found)) {
      const claim = await takeClaim({ store, clock, key }, value, version);
      if (claim !== undefined) return claim;
    }
    watches.set(key, watch);
    wait(key, clock.now() + RETRY_MS);
    return undefined;
  }

  /** Finds the tasks in the store. Searches again later: another process may die and leave its own. */
  async function search(): Promise<void> {
    let again = isShared(store) ? SEARCH_MS : undefined;
    try {
      for (const key of await store.list(prefix))
        if (!timers.has(key) && !activeAttempts.has(key) && !undeclared.has(key))
          wait(key, clock.now());
    } catch (error) {
      onError(error, 'tasks');
      again = RETRY_MS;
    }
    if (running && again !== undefined) stopSearching = clock.after(again, () => void search());
  }

  return {
    async add({ name, data, dueAt }) {
      const id = randomUUID();
      const key = `${prefix}${id}`;
      const value: StoredTask = { name, data, due_at: dueAt, run_at: dueAt, attempts: 0 };
      await store.set(key, { holder: null, value });
      wait(key, dueAt);
      return id;
    },
    async cancel(id) {
      const key = `${prefix}${id}`;
      const found = await readRecord<StoredTask>(store, key);
      if (found === undefined || found.holder !== null) return false;
      // A null counts as no task; a process that has claimed the task meanwhile keeps it.
      const { version: expected } = found;
      if ((await store.set(key, null, { expected, ttlMs: 1 })) === undefined) return false;
      timers.get(key)?.();
      timers.delete(key);
      return true;
    },
    async list() {
      const keys = await store.list(prefix);
      const found = await Promise.all(keys.map((key) => readRecord<StoredTask>(store, key)));
      const waiting = found.flatMap((record, at) =>
        record === undefined || record.holder !== null
          ? []
          : [{ id: (keys[at] ?? '').slice(prefix.length), ...record.value }],
      );
      return waiting
        .map(({ id, name, data, due_at: dueAt }) => ({ id, name, data, dueAt }))
        .toSorted((one, other) => one.dueAt - other.dueAt);
    },
    async start() {
      running = true;
      await search();
    },
    async stop() {
      running = false;
      stopSearching();
      for (const cancel of timers.values()) cancel();
      timers.clear();
      await Promise.all(activeAttempts.values());
    },
  };
}
