import { openDatabase } from '@bellhop/postgres';
import { startDatabaseProxy } from '@bellhop/postgres/testing';
import { expect, test } from 'vitest';

import { startJobs } from './start-jobs.ts';
import { noteJob, testQueue } from './test-queue.fixture.ts';

test('a claimed job runs only after its claim and the transaction that added it are on disk', async () => {
  await using queue = await testQueue();
  await using proxy = await startDatabaseProxy(queue.url);
  await using database = await openDatabase<unknown>(proxy.url);
  const ran: string[] = [];
  const logged: string[] = [];
  const note = noteJob({ retry: [0], run: async ({ text }) => void ran.push(text) });
  await using _jobs = await startJobs({
    database,
    jobs: [note],
    context: undefined,
    pollMs: 50,
    log: (message) => logged.push(message),
  });
  await queue.add(note, 'flushed');
  await expect.poll(() => ran).toEqual(['flushed']);
  // The name of the statement that only the connection for flushes sends.
  proxy.silence('flush\0');
  const id = await queue.add(note, 'waits for the flush');
  await expect.poll(async () => (await queue.row(id)).attempt).toBe(1);
  expect(ran).toEqual(['flushed']);
  proxy.cut('flush\0');
  await expect.poll(() => logged).toContain('Claiming jobs of lane default failed');
  expect(ran).toEqual(['flushed']);
  // The next claim is flushed on a new connection.
  await queue.expireLeases();
  await expect.poll(() => ran).toEqual(['flushed', 'waits for the flush']);
});
