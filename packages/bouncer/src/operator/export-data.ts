import type { Kysely } from 'kysely';

import { recordAction } from '../audit/audit-log.ts';
import type { BouncerTables } from '../storage/tables.ts';
import { listDevices } from './devices.ts';
import { type Operator, OperatorError, signatureOf } from './operator.ts';
import { queuedPushes } from './queued-pushes.ts';
import { findServer, showServer } from './servers.ts';

type Db = Kysely<BouncerTables>;
/** A line of an export. */
export type ExportedRecord = { readonly type: string } & Readonly<Record<string, unknown>>;

/** How many rows are read at a time. */
const PAGE = 1_000;

/**
 * Everything that is stored about a server, or about one of its realms: facts, realms, devices,
 * outcomes and traces of notifications, waiting and given-up notifications, the audit log. Without
 * secrets: no keys, and of tokens only hashes. Throws an OperatorError for an unknown server or
 * realm.
 */
export async function* exportData(
  operator: Operator,
  subject: string,
  realmUuid?: string,
): AsyncGenerator<ExportedRecord> {
  const { kysely } = operator.database;
  const { server_uuid: serverUuid } = await findServer(kysely, subject);
  const { server, realms, quotas } = await showServer(kysely, serverUuid);
  const chosen = realms.filter(({ realm_uuid }) => realm_uuid === (realmUuid ?? realm_uuid));
  if (realmUuid !== undefined && chosen.length === 0)
    throw new OperatorError(`The chat server ${subject} has no realm ${realmUuid}.`);
  await recordAction(kysely, {
    ...signatureOf(operator),
    action: 'data_exported',
    serverUuid,
    ...(realmUuid === undefined ? {} : { realmUuid }),
  });
  if (realmUuid === undefined) {
    yield { type: 'server', ...server };
    yield {
      type: 'quotas',
      ...Object.fromEntries(quotas.map(({ quota, value }) => [quota, value])),
    };
  }
  for (const realm of chosen) {
    yield { type: 'realm', ...realm };
    yield* devicesOf(kysely, realm.realm_uuid);
    yield* outcomesOf(kysely, realm.realm_uuid);
    yield* tracesOf(kysely, realm.realm_uuid);
    yield* queueOf(kysely, realm.realm_uuid);
  }
  yield* auditOf(kysely, serverUuid, realmUuid);
}

async function* devicesOf(db: Db, realmUuid: string): AsyncGenerator<ExportedRecord> {
  for (let after = 0; ;) {
    const page = await listDevices(db, { realmUuid, after, limit: PAGE });
    for (const device of page) yield { type: 'device', ...device };
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.device_id;
  }
}

async function* outcomesOf(db: Db, realmUuid: string): AsyncGenerator<ExportedRecord> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const page = await db
      .selectFrom('push_outcome')
      .selectAll()
      .where('realm_uuid', '=', realmUuid)
      .where('push_id', '>', after)
      .orderBy('push_id')
      .limit(PAGE)
      .execute();
    for (const outcome of page) yield { type: 'outcome', ...outcome };
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.push_id;
  }
}

async function* tracesOf(db: Db, realmUuid: string): AsyncGenerator<ExportedRecord> {
  for (let after = 0; ;) {
    const page = await db
      .selectFrom('push_trace')
      .selectAll()
      .where('realm_uuid', '=', realmUuid)
      .where('number', '>', after)
      .orderBy('number')
      .limit(PAGE)
      .execute();
    for (const { entry, ...row } of page) yield { type: 'trace', ...row, ...entry };
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.number;
  }
}

/** Without their content, which only the phone can read. */
async function* queueOf(db: Db, realmUuid: string): AsyncGenerator<ExportedRecord> {
  for (const state of ['waiting', 'ended'] as const)
    for (let offset = 0; ; offset += PAGE) {
      const page = await queuedPushes(db, { state, realmUuid, limit: PAGE, offset });
      for (const push of page) yield { type: 'queued', ...push };
      if (page.length < PAGE) break;
    }
}

async function* auditOf(
  db: Db,
  serverUuid: string,
  realmUuid: string | undefined,
): AsyncGenerator<ExportedRecord> {
  for (let after = 0; ;) {
    const page = await db
      .selectFrom('audit_entry')
      .selectAll()
      .where('server_uuid', '=', serverUuid)
      .$if(realmUuid !== undefined, (query) => query.where('realm_uuid', '=', realmUuid ?? ''))
      .where('number', '>', after)
      .orderBy('number')
      .limit(PAGE)
      .execute();
    for (const entry of page) yield { type: 'audit', ...entry };
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.number;
  }
}
