import { Cron } from 'croner';

import { misconfigured } from '../bot-error.ts';
import type { Clock } from '../clock.ts';
import { clockSleep } from '../rest/clock-sleep.ts';
import type { Store } from '../stores/store.ts';

interface SchedulesOptions {
  /** Called with the error of a failed run and the name of its schedule. */
  readonly onError: (error: unknown, name: string) => void;
  /**
   * Stores the last run of each schedule. Of the processes that share a store one runs each scheduled
   * time; after a restart the latest missed time runs once.
   */
  readonly store?: Store;
  /** Default: the clock of the machine; its timers keep the process alive. */
  readonly clock?: Clock;
}

export interface ScheduleOptions {
  /** Required if two schedules have the same pattern; default: the pattern. */
  readonly name?: string;
  /** An IANA time zone such as `Europe/Berlin`; default: that of the machine. */
  readonly timezone?: string;
  /** Whether the latest missed time runs after a restart; default: true. Needs a store. */
  readonly catchUp?: boolean;
}

/** One run of a schedule. */
export interface ScheduledRun {
  readonly name: string;
  /** When the run was due, in milliseconds since 1970. */
  readonly dueAt: number;
  /** The run was due while no process ran. */
  readonly missed: boolean;
  /** Aborted when the schedule is stopped. */
  readonly signal: AbortSignal;
}

interface Schedule {
  readonly name: string;
  /** The time of the next run; undefined if there is none or the schedule is stopped. */
  nextRun(): Date | undefined;
  /** Stops the schedule. Resolves when the current run has ended. */
  stop(): Promise<void>;
}

export interface Schedules {
  /**
   * Runs the handler at each time of a cron pattern: minute, hour, day, month, weekday, after a field
   * of seconds if there are six fields. A time during a run is skipped. Throws BotError
   * `config_invalid` on an invalid
   * pattern or time zone, and on a name that is in use.
   */
  every(
    pattern: string,
    options: ScheduleOptions,
    handler: (run: ScheduledRun) => unknown,
  ): Schedule;
  /** Stops all schedules. Resolves when their runs have ended. */
  stop(): Promise<void>;
}

/** The schedules of a bot. They keep the process alive until they are stopped. */
export function schedules(options: SchedulesOptions): Schedules {
  const byName = new Map<string, Schedule>();
  return {
    every(pattern, chosen, handler) {
      const name = chosen.name ?? pattern;
      if (byName.has(name))
        throw misconfigured(`The schedule "${name}" is already declared: give it another name.`);
      const cron = cronOf(pattern, chosen.timezone, (options.clock?.now ?? Date.now)());
      const { catchUp = true } = chosen;
      const schedule = startSchedule({ ...options, name, cron, catchUp, handler });
      byName.set(name, schedule);
      return schedule;
    },
    async stop() {
      await Promise.all([...byName.values()].map((schedule) => schedule.stop()));
    },
  };
}

function cronOf(pattern: string, timezone: string | undefined, now: number): Cron {
  try {
    const cron = new Cron(pattern, { paused: true, ...(timezone ? { timezone } : {}) });
    if (cron.nextRun(new Date(now)) === null) throw new RangeError('no such time will come');
    return cron;
  } catch (cause) {
    const zone = timezone ? ` in ${timezone}` : '';
    throw misconfigured(`The schedule "${pattern}"${zone} is invalid: ${String(cause)}`, { cause });
  }
}

/** The longest timer: the clock may be set, and the machine may sleep. */
const MAX_SLEEP_MS = 60_000;

interface ScheduleDefinition extends SchedulesOptions {
  readonly name: string;
  readonly cron: Cron;
  readonly catchUp: boolean;
  readonly handler: (run: ScheduledRun) => unknown;
}

function startSchedule(definition: ScheduleDefinition): Schedule {
  const { name, cron, store, handler, onError } = definition;
  const now = definition.clock?.now ?? Date.now;
  const sleep = clockSleep(definition.clock);
  const stopping = new AbortController();
  const { signal } = stopping;
  const dueAfter = (time: number) => cron.nextRun(new Date(time))?.getTime();

  async function run(dueAt: number, missed: boolean): Promise<void> {
    try {
      if (store && !(await claimRun(store, name, dueAt))) return;
      if (!signal.aborted) await handler({ name, dueAt, missed, signal });
    } catch (error) {
      onError(error, name);
    }
  }

  /** The latest time that was missed since the last run. */
  async function missedSince(start: number): Promise<number | undefined> {
    const last = store && (await lastRun(store, name, start));
    if (last === undefined || !definition.catchUp) return undefined;
    const due = dueAfter(last);
    if (due === undefined || due > start) return undefined;
    return cron.previousRuns(1, new Date(start))[0]?.getTime() ?? due;
  }

  async function runLoop(): Promise<void> {
    const start = now();
    const missed = await missedSince(start).catch((error: unknown) => {
      onError(error, name);
      return undefined;
    });
    if (missed !== undefined) await run(missed, true);
    let due = dueAfter(missed === undefined ? start : now());
    while (due !== undefined && !signal.aborted) {
      const waitMs = due - now();
      if (waitMs > 0) {
        await sleep(Math.min(waitMs, MAX_SLEEP_MS), signal);
        continue;
      }
      await run(due, false);
      due = dueAfter(Math.max(due, now()));
    }
  }

  const ended = runLoop().catch((error: unknown) => onError(error, name));
  return {
    name,
    nextRun: () => (signal.aborted ? undefined : (cron.nextRun(new Date(now())) ?? undefined)),
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

const keyOf = (name: string) => `schedule:${name}`;

/**
 * The last run of a schedule, in milliseconds since 1970. A new schedule is stored with `start`, so
 * that earlier times do not count as missed.
 */
async function lastRun(store: Store, name: string, start: number): Promise<number> {
  const stored = await store.get(keyOf(name));
  if (typeof stored?.value === 'number') return stored.value;
  await store.set(keyOf(name), start, { expected: stored?.version ?? null });
  return start;
}

/**
 * Claims the run that is due at a time; false if another process has claimed it. The claim is written
 * before the run, so that a run that crashes is not repeated.
 */
async function claimRun(store: Store, name: string, due: number): Promise<boolean> {
  const stored = await store.get(keyOf(name));
  if (typeof stored?.value === 'number' && stored.value >= due) return false;
  const claimed = await store.set(keyOf(name), due, { expected: stored?.version ?? null });
  return claimed !== undefined;
}
