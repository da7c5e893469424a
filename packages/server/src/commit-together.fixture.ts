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
  await chat.server.app.db.transaction(async (tx) => {
    await sql`select from event_counter for update`.execute(tx);
    for (const change of changes) {
      running.push(change());
      await expect.poll(() => waitingForLocks(chat), { timeout: 10_000 }).toBe(running.length);
    }
  });
  await Promise.all(running);
}
