import { expect, test } from 'vitest';

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
