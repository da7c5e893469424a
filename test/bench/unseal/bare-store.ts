import { createHash, randomUUID } from 'node:crypto';

import { type BouncerTables, migrations } from '@bellhop/bouncer';
import { migrate, openDatabase } from '@bellhop/postgres';
import { type KeyPair, openJson, sealing } from '@bellhop/push-crypto';
import { Client } from 'pg';

import { postgresTime } from '../send/processor-time.ts';
import type { UnsealRun } from './unseal-run.ts';

/** As many as the load has connections: a program that commits for each could share no more. */
const BATCH = 50;

interface Store {
  readonly client: Client;
  readonly realmUuid: string;
}

/** A database with the bouncer's tables and a realm in it. */
export async function openStore(stack: AsyncDisposableStack, databaseUrl: string): Promise<Store> {
  const database = await openDatabase<BouncerTables>(databaseUrl);
  await migrate(database, ...migrations);
  await database.close();
  const client = new Client(databaseUrl);
  await client.connect();
  stack.defer(() => client.end());
  const realmUuid = randomUUID();
  await client.query(
    `with server as (insert into remote_server (server_uuid, key_hash, hostname, contact_email)
       values ($1, '', 'chat.example.com', '') returning server_uuid)
     insert into remote_realm (realm_uuid, server_uuid, owner_secret_hash, realm_id, host, url, name, deactivated)
     select server_uuid, server_uuid, '', 1, '', '', '', false from server`,
    [realmUuid],
  );
  return { client, realmUuid };
}

const storeSql = `
  with used as (
    insert into used_registration (registration_hash, account_hash, used_at)
    select hash, hash, now() from unnest($2::bytea[]) as hash)
  insert into device (realm_uuid, push_account_id, token_hash, token, token_kind, ios_app_id,
    bouncer_public_key, registered_at)
  select $1, hashtextextended(token, 0), sha256(token::bytea), token, 'apns', 'org.bellhop.phone', $4, 1
  from unnest($3::text[]) as token`;

/**
 * As little as a program can do to have the same rows on disk: opens batch after batch, each while the one
 * before is committed. No HTTP, no authentication, no checks.
 */
export async function storeAll(
  boxes: readonly string[],
  {
    client,
    realmUuid,
    keyPair,
    postmaster,
  }: Store & { readonly keyPair: KeyPair; readonly postmaster: number },
): Promise<UnsealRun> {
  const before = process.cpuUsage();
  const postgresBefore = postgresTime(postmaster);
  const begun = performance.now();
  let committing: Promise<unknown> | undefined;
  for (let from = 0; from < boxes.length; from += BATCH) {
    const batch = boxes.slice(from, from + BATCH);
    const tokens = batch.map(
      (box) => (openJson(sealing, box, keyPair) as { readonly token: string }).token,
    );
    const hashes = batch.map((box) => createHash('sha256').update(box).digest());
    await committing;
    const values = [realmUuid, hashes, tokens, keyPair.publicKey];
    committing = client.query({ name: 'store', text: storeSql, values });
  }
  await committing;
  const seconds = (performance.now() - begun) / 1_000;
  const { user, system } = process.cpuUsage(before);
  return {
    perSecond: boxes.length / seconds,
    p99: Number.NaN,
    bouncerTime: (user + system) / boxes.length,
    postgresTime: (postgresTime(postmaster) - postgresBefore) / boxes.length,
  };
}
