import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { startTestChat } from './test-chat.fixture.ts';

test('a test chat has recurring jobs, and none of them runs by itself', async () => {
  await using chat = await startTestChat();
  const { rows } = await sql<{ name: string; year: number }>`
    select name, extract(year from due_at at time zone 'UTC')::integer as year from job
    order by name`.execute(chat.server.app.db.kysely);
  expect(rows.map(({ name }) => name)).toContain('sweep_uploads');
  expect(rows).toEqual(rows.map(({ name }) => ({ name, year: 2100 })));
});
