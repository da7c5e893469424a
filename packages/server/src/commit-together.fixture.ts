import { sql } from 'kysely';
import { expect } from 'vitest';

import type { TestChat } from './test-chat.fixture.ts';
import { waitingForLocks } from './waiting-for-locks.fixture.ts';

/**
 * Runs two changes of which each does all its work before the other commits, unless it waits for a lock
 * of the other. The first one comes to its locks first. A change that waits for no lock emits events.
 */
export async function commitTogether(
  chat: TestChat,
  changes: readonly [() => Promise<unknown>, () => Promise<unknown>],
): Promise<void> {
  const running: Promise<unknown>[] = [];
  const resume = await pauseJobs(chat);
  await chat.server.app.db.transaction(async (tx) => {
    await sql`select from event_counter for update`.execute(tx);
    for (const change of changes) {
      running.push(change());
      await expect.poll(() => waitingForLocks(chat)).toBe(running.length);
    }
  });
  await resume();
  await Promise.all(running);
}

/** Waits until no job runs, and lets none begin: it would wait for locks, too. Returns how to go on. */
async function pauseJobs({ server }: TestChat): Promise<() => Promise<void>> {
  const { kysely } = server.app.db;
  const unpaused = async () => {
    await sql`update job set due_at = due_at + interval '200 years'
      where state = 'queued' and due_at < now() + interval '100 years'`.execute(kysely);
    const { rows } = await sql`select from job where state = 'running'`.execute(kysely);
    return rows.length;
  };
  await expect.poll(unpaused).toBe(0);
  return async () => {
    await sql`update job set due_at = due_at - interval '200 years'
      where state = 'queued' and due_at > now() + interval '100 years'`.execute(kysely);
  };
}
