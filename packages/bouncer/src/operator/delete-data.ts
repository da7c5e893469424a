import { type Kysely, sql } from 'kysely';

import { recordAction } from '../audit/audit-log.ts';
import { retryJobNames } from '../retry/retry-job-name.ts';
import { setDeactivated } from '../servers/queries.ts';
import type { BouncerTables } from '../storage/tables.ts';
import { type Operator, OperatorError, signatureOf } from './operator.ts';
import { findServer } from './servers.ts';

type Db = Kysely<BouncerTables>;

/** How many rows one statement deletes. */
const BATCH = 10_000;

/**
 * Deletes a server with its realms and all their data. It is deactivated first; after an interruption, call it
 * again. Only the audit log still has its ID and host name. Returns the host name.
 */
export async function deleteServer(operator: Operator, subject: string): Promise<string> {
  const { database } = operator;
  const { server_uuid: serverUuid, hostname } = await findServer(database.kysely, subject);
  await setDeactivated(database.kysely, serverUuid, true);
  const realms = await database.kysely
    .selectFrom('remote_realm')
    .select('realm_uuid')
    .where('server_uuid', '=', serverUuid)
    .execute();
  for (const { realm_uuid } of realms) await deleteRealmData(database.kysely, realm_uuid);
  await database.transaction(async (tx) => {
    // Outcomes of realms that have moved to another server.
    await tx.deleteFrom('push_outcome').where('server_uuid', '=', serverUuid).execute();
    await tx.deleteFrom('push_trace').where('server_uuid', '=', serverUuid).execute();
    await tx.deleteFrom('remote_realm').where('server_uuid', '=', serverUuid).execute();
    await tx.deleteFrom('remote_server').where('server_uuid', '=', serverUuid).execute();
    await tx.deleteFrom('quota_use').where('subject', '=', `server ${serverUuid}`).execute();
    await tx
      .deleteFrom('invitation')
      .where((eb) => eb.or([eb('used_by', '=', serverUuid), eb('server_uuid', '=', serverUuid)]))
      .execute();
    const detail = { hostname, realms: realms.length };
    await recordAction(tx, {
      ...signatureOf(operator),
      action: 'server_deleted',
      serverUuid,
      detail,
    });
  });
  return hostname;
}

/**
 * Deletes a realm of a server with all its data. An active server announces the realm again, without its
 * devices. Throws an OperatorError if the server has no such realm.
 */
export async function deleteRealm(
  operator: Operator,
  subject: string,
  realmUuid: string,
): Promise<void> {
  const { database } = operator;
  const { server_uuid: serverUuid } = await findServer(database.kysely, subject);
  const realm = await database.kysely
    .selectFrom('remote_realm')
    .select('realm_uuid')
    .where('realm_uuid', '=', realmUuid)
    .where('server_uuid', '=', serverUuid)
    .executeTakeFirst();
  if (!realm) throw new OperatorError(`The chat server ${subject} has no realm ${realmUuid}.`);
  // A deactivated server can send nothing during the deletion.
  await database.kysely
    .updateTable('remote_realm')
    .set({ can_push: false })
    .where('realm_uuid', '=', realmUuid)
    .execute();
  await deleteRealmData(database.kysely, realmUuid);
  await database.transaction(async (tx) => {
    await tx.deleteFrom('device').where('realm_uuid', '=', realmUuid).execute();
    await tx.deleteFrom('remote_realm').where('realm_uuid', '=', realmUuid).execute();
    await tx.deleteFrom('quota_use').where('subject', '=', `realm ${realmUuid}`).execute();
    const action = 'realm_deleted';
    await recordAction(tx, { ...signatureOf(operator), action, serverUuid, realmUuid });
  });
}

/** Deletes the rows of a realm in small transactions. */
async function deleteRealmData(db: Db, realmUuid: string): Promise<void> {
  await sql`delete from job where name = any(${[...retryJobNames]})
    and payload->>'realm_uuid' = ${realmUuid}`.execute(db);
  for (const table of ['push_request', 'push_outcome', 'push_trace', 'device'] as const)
    for (;;) {
      const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)}
        where ctid = any(array(select ctid from ${sql.table(table)}
          where realm_uuid = ${realmUuid} limit ${BATCH}))`.execute(db);
      if (numAffectedRows < BigInt(BATCH)) break;
    }
}
