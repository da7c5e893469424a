import { createTestDatabase } from '@bellhop/postgres/testing';
import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { serverMigrations, type Tables } from '../../../provision.ts';
import { MARKED_FLAGS } from './flags.ts';

test('the index user_message_marked holds the rows with one of MARKED_FLAGS', async () => {
  await using created = await createTestDatabase<Tables>({ migrations: serverMigrations });
  const { rows } = await sql<{ condition: string }>`
    select pg_get_expr(indpred, indrelid) as condition from pg_index
    where indexrelid = 'user_message_marked'::regclass`.execute(created.database.kysely);
  expect(rows).toEqual([{ condition: `((flags & ${MARKED_FLAGS}) <> 0)` }]);
});
