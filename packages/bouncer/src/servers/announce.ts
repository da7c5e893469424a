import {
  type AnnouncedRealm,
  ApiError,
  type Bouncer,
  type RealmPushStatus,
} from '@bellhop/protocol';
import type { Kysely } from 'kysely';

import type { Handler } from '../app.ts';
import type { BouncerTables } from '../tables.ts';
import { realmsOf, realmsOfOthers, type RemoteRealm, saveProgress, saveRealm } from './queries.ts';
import { matches } from './secret-hash.ts';

/** Whether a realm may push. Without paid plans there is no expected end. */
export const pushStatusOf = (realm: RemoteRealm): RealmPushStatus => ({
  can_push: realm.can_push && !realm.deactivated,
  expected_end_timestamp: null,
});

const newest = (rows: readonly { id: number }[] | undefined) =>
  (rows ?? []).reduce((max, { id }) => Math.max(max, id), 0);

/** Stores the realms of a server. Of the analytics it stores only the last ids. */
export const announce: Handler<Bouncer['servers']['announce']> = ({ params, server, app }) =>
  app.database.transaction(async (db) => {
    const announced = params.realms ?? [];
    await requireOwn(db, server.server_uuid, announced);
    for (const realm of announced) await saveRealm(db, server.server_uuid, realm);
    await saveProgress(db, server.server_uuid, {
      last_realm_count_id: newest(params.realm_counts),
      last_installation_count_id: newest(params.installation_counts),
      last_realmauditlog_id: newest(params.realmauditlog_rows),
      version: params.version,
    });
    const realms = await realmsOf(db, server.server_uuid);
    return {
      realms: Object.fromEntries(realms.map((realm) => [realm.realm_uuid, pushStatusOf(realm)])),
    };
  });

/** A realm may move to this server only from a deactivated one, and only with the owner's secret. */
async function requireOwn(
  db: Kysely<BouncerTables>,
  serverUuid: string,
  announced: readonly AnnouncedRealm[],
): Promise<void> {
  for (const other of await realmsOfOthers(db, serverUuid, announced)) {
    const claim = announced.find(({ uuid }) => uuid.toLowerCase() === other.realm_uuid);
    const mayMove =
      other.server_deactivated &&
      claim !== undefined &&
      matches(claim.uuid_owner_secret, other.owner_secret_hash);
    if (!mayMove) throw new ApiError('REMOTE_REALM_SERVER_MISMATCH_ERROR');
  }
}
