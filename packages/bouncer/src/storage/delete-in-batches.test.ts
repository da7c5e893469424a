import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

import { startTestBouncer, type TestBouncer, type TestServer } from '../test-bouncer.fixture.ts';
import { deleteInBatches } from './delete-in-batches.ts';

let bouncer: TestBouncer;
let server: TestServer;
beforeAll(async () => {
  bouncer = await startTestBouncer();
  server = await bouncer.addServer();
  // It deletes old requests itself, every hour.
  await bouncer.stop();
});
afterAll(() => bouncer[Symbol.asyncDispose]());

/** 1,200 requests of the year 2001 and 3 of 2002. */
beforeEach(async () => {
  await sql`delete from push_request`.execute(bouncer.kysely);
  await sql`insert into push_request (realm_uuid, idempotency_key, item_hashes, started_at)
    select ${server.realmUuid}::uuid, number::text, '{}',
      case when number > 1200 then timestamptz '2002-02-02' else timestamptz '2001-01-01' end
    from generate_series(1, 1203) number`.execute(bouncer.kysely);
});
const deleteOld = (signal?: AbortSignal) =>
  deleteInBatches(
    bouncer.kysely,
    {
      table: 'push_request',
      where: sql`started_at < timestamptz '2002-01-01'`,
      orderBy: 'started_at',
    },
    signal,
  );
const left = async () =>
  (await bouncer.kysely.selectFrom('push_request').select('idempotency_key').execute()).length;

test('all matching rows of several batches are deleted, and no other row', async () => {
  expect(await left()).toBe(1203);
  await deleteOld();
  expect(await left()).toBe(3);
});

test('a deletion that is told to stop ends after its batch, and the next one goes on', async () => {
  await deleteOld(AbortSignal.abort());
  expect(await left()).toBe(703);
  await deleteOld();
  expect(await left()).toBe(3);
});
