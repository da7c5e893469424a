import { normalHost } from '@bellhop/protocol/bouncer';
import { type Kysely, sql } from 'kysely';

import { type AuditEntry, latestEntries } from '../audit/audit-log.ts';
import type { StoredQuotas } from '../quotas/quota-table.ts';
import { isBanned } from '../servers/bans.ts';
import type { BouncerTables } from '../storage/tables.ts';
import { OperatorError } from './operator.ts';

type Db = Kysely<BouncerTables>;

export interface ServerSummary {
  readonly server_uuid: string;
  readonly hostname: string;
  readonly contact_email: string;
  readonly version: string | null;
  readonly state: 'active' | 'banned' | 'deactivated';
  readonly created_at: Date;
  readonly realms: number;
  /** The number of living devices. */
  readonly devices: number;
}
interface RealmSummary {
  readonly realm_uuid: string;
  readonly name: string;
  readonly url: string;
  readonly can_push: boolean;
  readonly deactivated: boolean;
  /** The number of living devices. */
  readonly devices: number;
}

const SHOWN_ENTRIES = 20;

const summaries = (db: Db) =>
  db.selectFrom('remote_server').select([
    'server_uuid',
    'hostname',
    'contact_email',
    'version',
    sql<ServerSummary['state']>`case when deactivated then 'deactivated'
      when ${isBanned} then 'banned' else 'active' end`.as('state'),
    'created_at',
    sql<number>`(select count(*) from remote_realm
      where remote_realm.server_uuid = remote_server.server_uuid)`.as('realms'),
    sql<number>`(select count(*) from remote_realm join device using (realm_uuid)
      where remote_realm.server_uuid = remote_server.server_uuid
        and expired_at is null)`.as('devices'),
  ]);

export const listServers = (db: Db): Promise<ServerSummary[]> =>
  summaries(db).orderBy('created_at', 'desc').execute();

/**
 * The server with this ID or host name; of several with the host name, the active one. Throws an
 * OperatorError if there is none.
 */
export async function findServer(db: Db, subject: string): Promise<ServerSummary> {
  const wanted = normalHost(subject) ?? subject;
  const found = await summaries(db)
    .where((eb) =>
      eb.or([
        eb(sql`server_uuid::text`, '=', wanted),
        eb(sql`lower(hostname)`, '=', wanted),
        eb(sql`regexp_replace(lower(hostname), ':[0-9]+$', '')`, '=', wanted),
      ]),
    )
    .orderBy('deactivated')
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
  if (!found) throw new OperatorError(`No chat server "${subject}" is registered.`);
  return found;
}

export interface ShownServer {
  readonly server: ServerSummary;
  readonly realms: RealmSummary[];
  /** As the operator has set them. */
  readonly quotas: StoredQuotas;
  readonly audit: AuditEntry[];
}

/** A server, its realms, the quotas that are set for it and its latest entries in the audit log. */
export async function showServer(db: Db, subject: string): Promise<ShownServer> {
  const server = await findServer(db, subject);
  const realms = await db
    .selectFrom('remote_realm')
    .select([
      'realm_uuid',
      'name',
      'url',
      'can_push',
      'deactivated',
      sql<number>`(select count(*) from device
        where device.realm_uuid = remote_realm.realm_uuid and expired_at is null)`.as('devices'),
    ])
    .where('server_uuid', '=', server.server_uuid)
    .orderBy('created_at')
    .execute();
  const { server_uuid: serverUuid } = server;
  const { quotas } = await db
    .selectFrom('remote_server')
    .select('quotas')
    .where('server_uuid', '=', serverUuid)
    .executeTakeFirstOrThrow();
  return {
    server,
    realms,
    quotas,
    audit: await latestEntries(db, { serverUuid, limit: SHOWN_ENTRIES }),
  };
}
