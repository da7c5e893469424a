import { migrate } from '@bellhop/postgres';
import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';

import { migrations } from '../migrations.ts';
import { formerDatabase } from '../storage/former-database.fixture.ts';
import type { BouncerTables } from '../storage/tables.ts';

const [server, realm] = [
  '11111111-2222-8333-a444-555555555555',
  '66666666-7777-8888-a999-aaaaaaaaaaaa',
];
const tokenHash = Buffer.from('the hash of the token');

/** A database of the version before token IDs, with a realm. */
async function databaseWithRealm() {
  const made = await formerDatabase('0011');
  const { kysely } = made.database;
  await sql`insert into remote_server (server_uuid, key_hash, hostname, contact_email)
    values (${server}, '', 'chat.example.com', 'admin@example.com')`.execute(kysely);
  await sql`insert into remote_realm (realm_uuid, server_uuid, owner_secret_hash, realm_id, host, url, name)
    values (${realm}, ${server}, '', 1, 'chat.example.com', 'https://chat.example.com', '')`.execute(
    kysely,
  );
  return made;
}

/** The statement of the version before that registers a device. */
const register = (db: Kysely<BouncerTables>, account: bigint) =>
  sql<{ device_id: number }>`
    insert into device (realm_uuid, push_account_id, token_hash, token, token_kind, ios_app_id,
      android_app_id, webpush_keys, bouncer_public_key, registered_at)
    values (${realm}, ${account}, ${tokenHash}, 'token', 'fcm', null, null, null, 'key', 1)
    on conflict (realm_uuid, push_account_id, token_hash) do update set
      registered_at = greatest(device.registered_at, excluded.registered_at),
      expired_at = null
    returning device_id`.execute(db);

test('nodes of the version before go on with their devices beside those with token IDs', async () => {
  await using made = await databaseWithRealm();
  const { database } = made;
  const { kysely } = database;
  const [before] = (await register(kysely, 1n)).rows;
  await migrate(database, ...migrations);
  expect((await register(kysely, 1n)).rows).toEqual([before]);
  const [after] = (await register(kysely, 2n)).rows;
  expect(after).not.toEqual(before);
  const byToken = sql`insert into device (realm_uuid, token_id, token_hash, token, token_kind,
      bouncer_public_key, registered_at)
    values (${realm}, ${Buffer.alloc(8)}, ${tokenHash}, 'token', 'fcm', 'key', 1)`;
  await byToken.execute(kysely);
  await sql`update device set expired_at = now()
    where (realm_uuid, device_id, registered_at) in (select * from unnest(
      array[${realm}]::uuid[], array[${after?.device_id}]::bigint[], array[1]::bigint[]))
    and expired_at is null`.execute(kysely);
  const { rows } = await sql<{ push_account_id: number | null }>`select * from device
    where realm_uuid = ${realm} and expired_at is null order by push_account_id`.execute(kysely);
  expect(rows).toMatchObject([
    { device_id: before?.device_id, push_account_id: 1 },
    { push_account_id: null },
  ]);
  await expect(byToken.execute(kysely)).rejects.toThrow('device_token_id');
});

test.each([
  ['no name', null, null],
  ['both names', 1, Buffer.alloc(8)],
  ['a token ID of 7 bytes', null, Buffer.alloc(7)],
])('the database refuses a device with %s', async (_, account, tokenId) => {
  await using made = await databaseWithRealm();
  await migrate(made.database, ...migrations);
  const insert = sql`insert into device (realm_uuid, push_account_id, token_id, token_hash, token,
      token_kind, bouncer_public_key, registered_at)
    values (${realm}, ${account}, ${tokenId}, ${tokenHash}, 'token', 'fcm', 'key', 1)`;
  await expect(insert.execute(made.database.kysely)).rejects.toThrow('check constraint');
});
