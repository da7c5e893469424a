import { expect, test } from 'vitest';

/**
 * The result of a scenario, as the ids or texts of the messages, replies, devices, ... that it
 * counts.
 */
export interface CrashResult {
  /** Promised to a caller, by a success or by a delivery that was answered. */
  readonly acknowledged: readonly string[];
  /** Acknowledged, and gone. */
  readonly lost: readonly string[];
  /** Done or delivered more than once. */
  readonly doubled: readonly string[];
  /** Further counts of the scenario, in words. */
  readonly figures?: readonly string[];
}

/** The part of a result that the reporter prints, in the `meta` of the test. */
export interface CrashCounts extends Readonly<Record<'acknowledged' | 'lost' | 'doubled', number>> {
  readonly figures: readonly string[];
}

declare module 'vitest' {
  interface TaskMeta {
    crashCounts?: CrashCounts;
  }
}

/**
 * A test of the crash suite. Fails if the scenario acknowledged nothing, lost or doubled something.
 * `npm run crash` prints its counts, and their sums as the last line of the run.
 */
export function crashTest(title: string, scenario: () => Promise<CrashResult>): void {
  test(
    title,
    async ({ task }) => {
      const { acknowledged, lost, doubled, figures = [] } = await scenario();
      task.meta.crashCounts = {
        acknowledged: acknowledged.length,
        lost: lost.length,
        doubled: doubled.length,
        figures,
      };
      expect({ lost, doubled }).toEqual({ lost: [], doubled: [] });
      expect(acknowledged).not.toEqual([]);
    },
    600_000,
  );
}

type Key = string | number;

/** Compares the acknowledged items with all items found afterwards, which may be more. */
export function compareFound(acknowledged: readonly Key[], found: readonly Key[]): CrashResult {
  const once = new Set(found);
  const seen = new Set<Key>();
  const doubled = found.filter((key) => seen.has(key) || !seen.add(key));
  return {
    acknowledged: acknowledged.map(String),
    lost: acknowledged.filter((key) => !once.has(key)).map(String),
    doubled: doubled.map(String),
  };
}
