import { sql } from 'kysely';

import type { TestChat } from './test-chat.fixture.ts';

/** How many statements wait for a lock now. */
export async function waitingForLocks({ server }: Pick<TestChat, 'server'>): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(server.app.db.kysely);
  return rows.length;
}
