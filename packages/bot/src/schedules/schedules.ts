import { Cron } from 'croner';

import type { Clock } from '../clock.ts';
import { clockSleep } from '../rest/clock-sleep.ts';
import type { Store } from '../stores/store.ts';
import { claimRun, lastRun } from './claim-run.ts';

export interface SchedulesOptions {
  /** Told of handlers that failed, by the name of their schedule. */
  readonly onError: (error: unknown, name: string) => void;
  /**
   * Keeps when each schedule ran last. Several processes that share one run each time once together,
   * and a time that was missed while none was running is made up, once.
   */
  readonly store?: Store;
  /** The machine's unless said otherwise, with timers that keep the process alive. */
  readonly clock?: Clock;
}

export interface ScheduleOptions {
  /** Needed where two schedules have the same pattern; the pattern unless said. */
  readonly name?: string;
  /** `Europe/Berlin`, say; that of the machine unless said. */
  readonly timezone?: string;
  /** Whether a missed time is made up, where there is a store; true. */
  readonly catchUp?: boolean;
}

/** One time that a schedule comes round. */
export interface ScheduledRun {
  readonly name: string;
  /** When it was due, in milliseconds since 1970. */
  readonly scheduledAt: number;
  /** It was due while no process was running, and is made up now. */
  readonly missed: boolean;
  /** Fires when the schedule is stopped. */
  readonly signal: AbortSignal;
}

export interface Schedule {
  readonly name: string;
  /** When it comes round next; undefined when never again, or stopped. */
  nextRun(): Date | undefined;
  /** Runs no more, and resolves when the run that is going on has ended. */
  stop(): Promise<void>;
}

export interface Schedules {
  /**
   * Runs the handler whenever the pattern says (cron: minute, hour, day, month, weekday; with seconds
   * in front if there are six). A time that comes while the handler still runs is left out. Throws
   * TypeError on a bad pattern or time zone and on a name that is taken.
   */
  every(
    pattern: string,
    options: ScheduleOptions,
    handler: (run: ScheduledRun) => unknown,
  ): Schedule;
  /** Stops all, and resolves when what is running has ended. */
  stop(): Promise<void>;
}

/** Schedules of a bot. With them going, a process lives on. */
export function schedules(options: SchedulesOptions): Schedules {
  const going = new Map<string, Schedule>();
  return {
    every(pattern, chosen, handler) {
      const name = chosen.name ?? pattern;
      if (going.has(name))
        throw new TypeError(`There is a schedule "${name}" already: give a name.`);
      const cron = cronOf(pattern, chosen.timezone);
      const { catchUp = true } = chosen;
      const schedule = startSchedule({ ...options, name, cron, catchUp, handler });
      going.set(name, schedule);
      return schedule;
    },
    async stop() {
      await Promise.all([...going.values()].map((schedule) => schedule.stop()));
    },
  };
}

function cronOf(pattern: string, timezone: string | undefined): Cron {
  try {
    const cron = new Cron(pattern, { paused: true, ...(timezone ? { timezone } : {}) });
    cron.nextRun();
    return cron;
  } catch (cause) {
    const zone = timezone ? ` in ${timezone}` : '';
    throw new TypeError(`No schedule "${pattern}"${zone}: ${String(cause)}`, { cause });
  }
}

/** Clocks are set and machines sleep: the time is looked at again at least so often. */
const LONGEST_SLEEP_MS = 60_000;

interface Started extends SchedulesOptions {
  readonly name: string;
  readonly cron: Cron;
  readonly catchUp: boolean;
  readonly handler: (run: ScheduledRun) => unknown;
}

function startSchedule(started: Started): Schedule {
  const { name, cron, store, handler, onError } = started;
  const now = started.clock?.now ?? Date.now;
  const pause = clockSleep(started.clock);
  const ending = new AbortController();
  const { signal } = ending;
  const dueAfter = (time: number) => cron.nextRun(new Date(time))?.getTime();

  async function run(scheduledAt: number, missed: boolean): Promise<void> {
    try {
      if (store && !(await claimRun(store, name, scheduledAt))) return;
      if (!signal.aborted) await handler({ name, scheduledAt, missed, signal });
    } catch (error) {
      onError(error, name);
    }
  }

  /** The last of the times that passed since the last run, if there is one. */
  async function missedSince(start: number): Promise<number | undefined> {
    const last = store && (await lastRun(store, name, start));
    if (last === undefined || !started.catchUp) return undefined;
    const due = dueAfter(last);
    if (due === undefined || due > start) return undefined;
    return cron.previousRuns(1, new Date(start))[0]?.getTime() ?? due;
  }

  async function keepRunning(): Promise<void> {
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
        await pause(Math.min(waitMs, LONGEST_SLEEP_MS), signal);
        continue;
      }
      await run(due, false);
      due = dueAfter(Math.max(due, now()));
    }
  }

  const ended = keepRunning().catch((error: unknown) => onError(error, name));
  return {
    name,
    nextRun: () => (signal.aborted ? undefined : (cron.nextRun(new Date(now())) ?? undefined)),
    async stop() {
      ending.abort();
      await ended;
    },
  };
}
