import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';

import { openDatabase } from './open-database.ts';
import { createTestDatabase } from './testing.fixture.ts';
import { watchDatabase } from './watch-database.ts';

const HOUR_MS = 3_600_000;

/** A watch by a clock that is ahead by `ahead.ms`, and the lines that it logs. */
async function startWatch(ahead: { ms: number }) {
  const made = await createTestDatabase();
  const lines: string[] = [];
  const say = (level: string) => (_fields: object, message: string) =>
    void lines.push(`${level}: ${message}`);
  const watch = await watchDatabase(made.database, {
    statements: { begun: () => [], restored: [] },
    now: () => Date.now() + ahead.ms,
    log: { warn: say('warn'), info: say('info') },
    onError: (error) => {
      throw error;
    },
  });
  return {
    watch,
    lines,
    async [Symbol.asyncDispose]() {
      watch.stop();
      await made[Symbol.asyncDispose]();
    },
  };
}

test('a clock that agrees with that of the database is not mentioned', async () => {
  await using parts = await startWatch({ ms: 2000 });
  expect(parts.lines).toEqual([]);
  expect(parts.watch.details()).toEqual({});
  expect(parts.watch.clockOffset()).toBeCloseTo(2, 0);
});

test('a clock that is two hours ahead is warned of at the start, once, and again if it is ten days behind', async () => {
  const ahead = { ms: 2 * HOUR_MS };
  await using parts = await startWatch(ahead);
  const { watch, lines } = parts;
  expect(watch.details().clock_offset_seconds).toBeCloseTo(7200, -1);
  await watch.check();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^warn: the clock of this node is not that of the database/);
  ahead.ms = -240 * HOUR_MS;
  await watch.check();
  expect(lines).toHaveLength(2);
  expect(watch.clockOffset()).toBeCloseTo(-864_000, -1);
  ahead.ms = 0;
  await watch.check();
  expect(lines.at(-1)).toBe('info: the clock of this node is right again');
  expect(watch.details()).toEqual({});
});

test('a program that notices a new epoch has the others check at once', async () => {
  await using made = await createTestDatabase();
  await using another = await openDatabase(made.url);
  const start = (database: typeof another) => {
    const onEpoch = vi.fn<() => void>();
    const watching = watchDatabase(database, {
      statements: { begun: () => [], restored: [] },
      onEpoch,
      now: Date.now,
      log: { warn: () => {}, info: () => {} },
      onError: () => {},
    });
    return { onEpoch, watching };
  };
  const [one, other] = [start(made.database), start(another)];
  const [watch, otherWatch] = [await one.watching, await other.watching];
  await sql`update database_epoch set copy = 'snapshot'`.execute(made.database.kysely);
  await watch.check();
  await expect.poll(() => other.onEpoch).toHaveBeenCalledTimes(1);
  expect(one.onEpoch).toHaveBeenCalledTimes(1);
  watch.stop();
  otherWatch.stop();
});
