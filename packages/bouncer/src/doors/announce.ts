import { ApiError, type Bouncer, type RealmPushStatus } from '@bellhop/protocol/bouncer';

import type { Handler } from '../app.ts';
import { countRealms } from '../quotas/queries.ts';
import {
  lockedServer,
  realmsOf,
  type RemoteRealm,
  saveProgress,
  saveRealms,
} from '../servers/queries.ts';

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
    // Announcements of one server count its realms one after the other.
    await lockedServer(db, server.server_uuid);
    const before = await countRealms(db, server.server_uuid);
    if (!(await saveRealms(db, server.server_uuid, params.realms ?? [])))
      throw new ApiError('REMOTE_REALM_SERVER_MISMATCH_ERROR');
    const { server_realms: limit } = app.quotas.quotasOf(server);
    const after = await countRealms(db, server.server_uuid);
    // Realms of before a lower quota stay and may change.
    if (after > limit && after > before)
      throw new ApiError('PUSH_NOTIFICATIONS_DISALLOWED', {
        message: `No room for ${after} realms: server_realms is ${limit}. Ask the operator of the push bouncer`,
      });
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
