import { ApiError } from '@bellhop/protocol';
import type { Kysely } from 'kysely';

import type { BouncerTables } from '../tables.ts';
import { realmByUuid, type RemoteRealm, type RemoteServer } from './queries.ts';

/** Returns a realm of the server. Throws if it is unknown or belongs to another server. */
export async function requireRealm(
  db: Kysely<BouncerTables>,
  server: RemoteServer,
  realmUuid: string,
): Promise<RemoteRealm> {
  const realm = await realmByUuid(db, realmUuid);
  if (!realm) throw new ApiError('MISSING_REMOTE_REALM');
  if (realm.server_uuid !== server.server_uuid)
    throw new ApiError('REMOTE_REALM_SERVER_MISMATCH_ERROR');
  return realm;
}
