import { sql } from 'kysely';
import { expect } from 'vitest';

import type { TestChat } from './test-chat.fixture.ts';

/**
 * Runs two changes of which each does all its work before the other commits, unless it waits for a lock
 * of the other. The first one comes to its locks first. A change that waits for no lock emits events.
 */
export async function commitTogether(
  { server }: TestChat,
  changes: readonly [() => Promise<unknown>, () => Promise<unknown>],
): Promise<void> {
  const { db } = server.app;
  const waiting = async () => {
    const { rows } = await sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db.kysely);
    return rows.length;
  };
  const running: Promise<unknown>[] = [];
  await db.transaction(async (tx) => {
    await sql`select from event_counter for update`.execute(tx);
    for (const change of changes) {
      running.push(change());
      await expect.poll(waiting, { timeout: 10_000 }).toBe(running.length);
    }
  });
  await Promise.all(running);
}
