import { sql } from 'kysely';
import { expect } from 'vitest';

import type { TestChat } from './test-chat.fixture.ts';

/** Makes the queued jobs of a name due at once, and those that fail meanwhile. Resolves when none is left. */
export async function runQueuedJobs({ server }: TestChat, name: string): Promise<void> {
  const { kysely } = server.app.db;
  const left = async () => {
    await sql`update job set due_at = to_timestamp(0) where name = ${name}
      and state = 'queued'`.execute(kysely);
    const { rows } = await sql`select from job where name = ${name}
      and state in ('queued', 'running')`.execute(kysely);
    return rows.length;
  };
  await expect.poll(left).toBe(0);
}
