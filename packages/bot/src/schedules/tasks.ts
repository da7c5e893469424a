import { randomUUID } from 'node:crypto';

import type { Clock } from '../clock.ts';
import type { JsonValue, Store } from '../stores/store.ts';

/** A task that is due. */
export interface DueTask {
  readonly name: string;
  readonly data: JsonValue;
  /** When the task was due, in milliseconds since 1970; after a restart it may be long ago. */
  readonly dueAt: number;
}

interface TasksOptions {
  readonly store: Store;
  readonly botEmail: string;
  readonly clock: Clock;
  readonly perform: (task: DueTask) => Promise<void>;
  readonly onError: (error: unknown, name: string) => void;
}

/** The scheduled tasks of a bot, kept in its store. */
export interface Tasks {
  /** Schedules a task. Resolves when it is stored. */
  readonly add: (task: DueTask) => Promise<void>;
  /** Starts to run tasks, first those that were due while no process ran. */
  readonly start: () => Promise<void>;
  /** Starts no more tasks. Resolves when the running ones have ended. */
  readonly stop: () => Promise<void>;
}

/** The longest timer: the clock may be set, and the machine may sleep. */
const MAX_TIMER_MS = 60_000;
/** How long a claim on a task is valid, in milliseconds. */
const CLAIM_MS = 5 * 60_000;
/** Waits after failed attempts, in milliseconds; after the last attempt the task is dropped. */
const RETRY_DELAYS_MS = [5000, 60_000, 600_000];

interface StoredTask {
  readonly name: string;
  readonly data: JsonValue;
  readonly due_at: number;
  readonly attempts: number;
  /** A process has claimed the task until then. */
  readonly claimed_until: number;
}

/**
 * Runs each task when it is due, in one of the processes that share the store. A failed task runs
 * again up to three times; a task whose process crashed runs again when its claim has expired.
 */
export function tasks({ store, botEmail, clock, perform, onError }: TasksOptions): Tasks {
  const prefix = `task:${botEmail.toLowerCase()}:`;
  const timers = new Map<string, () => void>();
  const activeAttempts = new Set<Promise<void>>();
  let running = false;

  function wait(key: string, at: number): void {
    if (!running) return;
    const ms = Math.min(Math.max(0, at - clock.now()), MAX_TIMER_MS);
    const cancel = clock.after(ms, () => {
      timers.delete(key);
      if (at > clock.now()) return wait(key, at);
      const work = attempt(key).catch((error: unknown) => onError(error, key));
      activeAttempts.add(work);
      void work.finally(() => activeAttempts.delete(work));
    });
    timers.set(key, cancel);
  }

  async function attempt(key: string): Promise<void> {
    const found = await store.get(key);
    if (!found) return;
    const task = found.value as unknown as StoredTask;
    const now = clock.now();
    if (task.claimed_until > now) return wait(key, task.claimed_until);
    const claimed = { ...task, claimed_until: now + CLAIM_MS };
    const version = await store.set(key, claimed, { expected: found.version });
    if (version === undefined) return wait(key, now + CLAIM_MS);
    try {
      await perform({ name: task.name, data: task.data, dueAt: task.due_at });
      await store.delete(key);
    } catch (error) {
      onError(error, task.name);
      const delayMs = RETRY_DELAYS_MS[task.attempts];
      if (delayMs === undefined) return store.delete(key);
      const next = { ...task, attempts: task.attempts + 1, claimed_until: clock.now() + delayMs };
      await store.set(key, next, { expected: version });
      wait(key, next.claimed_until);
    }
  }

  return {
    async add({ name, data, dueAt }) {
      const key = `${prefix}${randomUUID()}`;
      const stored: StoredTask = { name, data, due_at: dueAt, attempts: 0, claimed_until: 0 };
      await store.set(key, { ...stored });
      wait(key, dueAt);
    },
    async start() {
      running = true;
      for (const key of await store.list(prefix)) {
        const found = await store.get(key);
        const task = found?.value as StoredTask | undefined;
        if (task && !timers.has(key)) wait(key, Math.max(task.due_at, task.claimed_until));
      }
    },
    async stop() {
      running = false;
      for (const cancel of timers.values()) cancel();
      timers.clear();
      await Promise.all(activeAttempts);
    },
  };
}
