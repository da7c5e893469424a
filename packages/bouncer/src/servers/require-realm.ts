import type { Batcher } from '@bellhop/postgres';
import { ApiError } from '@bellhop/protocol/bouncer';

import type { RemoteRealm, RemoteServer } from './queries.ts';

/** Realms by UUID. */
export type Realms = Batcher<string, RemoteRealm | undefined>;

/** Returns a realm of the server. Throws if it is unknown or belongs to another server. */
export async function requireRealm(
  realms: Realms,
  server: RemoteServer,
  realmUuid: string,
): Promise<RemoteRealm> {
  const realm = await realms.add(realmUuid);
  if (!realm) throw new ApiError('MISSING_REMOTE_REALM');
  if (realm.server_uuid !== server.server_uuid)
    throw new ApiError('REMOTE_REALM_SERVER_MISMATCH_ERROR');
  return realm;
}
