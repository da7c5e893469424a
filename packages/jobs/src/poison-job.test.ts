import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { dead, done, retry } from './attempt-result.ts';
import { attemptsOf } from './attempts-of.ts';
import { endBatcher } from './end-batcher.ts';
import { releasedEnding } from './ending.ts';
import { eventually, noteJob, testQueue } from './test-queue.fixture.ts';

/** A queue whose worker was killed while it ran the job. */
async function queueWithLostAttempts(texts: readonly string[]) {
  const queue = await testQueue();
  const ids = [];
  for (const text of texts) ids.push(await queue.add(noteJob({}), text));
  await sql`update job set state = 'running', attempt = 1, started_at = now(),
    lease_until = now() - interval '1 minute' + (due_at - (select min(due_at) from job))`.execute(
    queue.database.kysely,
  );
  return { queue, ids };
}

test('a job whose onDead throws stops neither lease recovery nor polling, and dies without onDead', async () => {
  const { queue, ids } = await queueWithLostAttempts(['poison', 'other']);
  await using _queue = queue;
  const [poison = '', other = ''] = ids;
  let calls = 0;
  const note = noteJob({
    onDead: async (_tx, { payload }) => {
      if (payload.text !== 'poison') return;
      calls += 1;
      throw new Error('the owner is gone');
    },
  });
  const logged: string[] = [];
  await queue.start([note], { log: (message) => logged.push(message) });
  await eventually(async () => expect((await queue.row(other)).state).toBe('dead'));
  // Not announced: only a poll finds it.
  await sql`insert into job (id, name, lane, payload) values (gen_random_uuid(), 'note', 'default',
    '{"text": "found by a poll"}')`.execute(queue.database.kysely);
  await eventually(async () => {
    const { rows } = await sql<{ state: string }>`select state from job
      where payload ->> 'text' = 'found by a poll'`.execute(queue.database.kysely);
    expect(rows).toEqual([{ state: 'done' }]);
  });
  await eventually(async () => {
    await queue.expireLeases();
    expect((await queue.row(poison)).state).toBe('dead');
  });
  expect((await queue.row(poison)).reason).toBe(
    'The worker stopped before it finished; onDead failed 5 times',
  );
  expect(calls).toBe(5);
  expect(logged).toContain(`Ending the lost attempt of job ${poison} (note) failed`);
});

test('a reason cut inside a surrogate pair, NUL and half a pair in results are stored as U+FFFD', async () => {
  await using queue = await testQueue();
  const note = noteJob({
    retry: [3600],
    run: async ({ text }) => {
      if (text === 'cut') return retry({ reason: `${'x'.repeat(1999)}😀` });
      const detail = { 'a\0b': ['\ud83d', 'c\\u0000', '😀'] };
      return text === 'dead' ? dead({ reason: '\0', detail }) : done({ result: detail, detail });
    },
  });
  await queue.start([note]);
  const ids = await Promise.all(['cut', 'dead', 'done'].map((text) => queue.add(note, text)));
  const [cut = '', died = '', ended = ''] = ids;
  const stored = { 'a\ufffdb': ['\ufffd', 'c\\u0000', '😀'] };
  await eventually(async () => expect((await queue.row(ended)).state).toBe('done'));
  expect((await queue.row(ended)).result).toEqual(stored);
  await eventually(async () => expect((await queue.row(died)).reason).toBe('\ufffd'));
  expect(await attemptsOf(queue.database.kysely, died)).toMatchObject([{ detail: stored }]);
  await eventually(async () =>
    expect(await queue.row(cut)).toMatchObject({ state: 'queued', attempt: 1 }),
  );
  expect((await queue.row(cut)).reason).toBe(`${'x'.repeat(1999)}\ufffd`);
});

test('an ending that the database refuses does not hold up the others of its batch', async () => {
  const claimed = { name: 'note', key: '', payload: {}, attempt: 1, failures: 0, is_manual: false };
  await using queue = await testQueue();
  const written: string[][] = [];
  const endings = endBatcher(async (batch) => {
    const ids = batch.map(({ id }) => id);
    if (ids.includes('poison')) await sql`select 1 / 0`.execute(queue.database.kysely);
    written.push(ids);
    return new Set(ids);
  });
  const settled = await Promise.allSettled(
    ['a', 'b', 'poison', 'c'].map((id) => endings.add(releasedEnding({ id, ...claimed }))),
  );
  expect(settled.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
  ]);
  expect(written).toEqual([['a'], ['b'], ['c']]);
});
