import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { cancel } from './cancel.ts';
import { eventually, noteJob, testQueue } from './test-queue.fixture.ts';

test('cancel deletes a queued job by its dedupe value, and leaves a running one and other jobs', async () => {
  await using queue = await testQueue();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const ran: string[] = [];
  const note = noteJob({
    run: async ({ text }) => {
      ran.push(text);
      await isReleased;
    },
  });
  const later = { runAt: new Date(Date.now() + 3_600_000) };
  await queue.add(note, 'cancelled', { ...later, dedupe: 'cancelled' });
  const kept = await queue.add(note, 'kept', { ...later, dedupe: 'kept' });
  const running = await queue.add(note, 'running', { dedupe: 'running' });
  await queue.start([note]);
  await eventually(() => expect(ran).toEqual(['running']));
  await queue.transaction(async (tx) => {
    await cancel(tx, note, 'cancelled');
    await cancel(tx, note, 'running');
    await cancel(tx, { name: 'another job' }, 'kept');
  });
  release();
  await eventually(async () => expect((await queue.row(running)).state).toBe('done'));
  const { rows } = await sql`select id from job order by id`.execute(queue.database.kysely);
  expect(rows).toEqual([{ id: kept }, { id: running }]);
});
