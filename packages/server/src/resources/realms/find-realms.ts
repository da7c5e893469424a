import type { Database } from '@bellhop/postgres';

import type { Config } from '../../config.ts';
import { ApiError } from '../../engine/api-error.ts';
import type { Realms } from '../../engine/app.ts';
import type { Db } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import { LookUpCache } from '../../engine/look-up-cache.ts';
import type { Tables } from '../../engine/tables.ts';
import * as linkifiers from '../../model/linkifiers/queries.ts';
import * as realmEmoji from '../../model/realm-emoji/queries.ts';
import * as queries from '../../model/realms/queries.ts';
import { realmUrl } from '../../model/realms/realm-url.ts';

/** After a notification on this channel every node reads its realms again. */
export const REALMS_CHANNEL = 'bellhop_realms';
/** How long a cached realm may be out of date if the notification of another node is lost. */
const CACHE_MS = 1000;
const MAX_CACHED = 10_000;

interface FoundRealms extends Realms {
  readonly stop: () => void;
}

/**
 * Finds realms by host name or id and caches them for a second. A subdomain of the external host is a
 * realm of its own; the external host and every other name (an IP address, localhost) are the default
 * realm.
 */
export async function findRealms(
  database: Database<Tables>,
  { externalUrl, webPublicChannels }: Pick<Config, 'externalUrl' | 'webPublicChannels'>,
  clock: () => number = () => performance.now(),
): Promise<FoundRealms> {
  const db = database.kysely;
  const { hostname } = new URL(externalUrl);
  const cache = new LookUpCache<Realm>({ keepMs: CACHE_MS, maxEntries: MAX_CACHED, clock });
  const stop = await database.listen(REALMS_CHANNEL, () => cache.clear());
  const complete = async (on: Db, row: queries.RealmRow): Promise<Realm> => ({
    ...row,
    url: realmUrl(externalUrl, row.subdomain),
    has_web_public_channels: webPublicChannels,
    linkifiers: await linkifiers.ofRealm(on, row.id),
    emoji: await realmEmoji.activePaths(on, row.id),
  });
  const read = async (on: Db, id: number) => complete(on, await queries.byId(on, id));
  return {
    atHost: async (requested, lookUp) => {
      const name = requested.replace(/:\d+$/, '');
      const subdomain = name.endsWith(`.${hostname}`) ? name.slice(0, -hostname.length - 1) : '';
      const realm = await cache.get(`at ${subdomain}`, {
        find: async () => {
          const id = await queries.idOf(db, subdomain);
          return id === undefined ? undefined : read(db, id);
        },
        lookUp,
      });
      if (!realm) throw new ApiError('NONEXISTENT_SUBDOMAIN');
      return realm;
    },
    byId: async (id) => {
      const find = () => read(db, id);
      const realm = await cache.get(`id ${id}`, { find, lookUp: (search) => search() });
      if (!realm) throw new Error(`Realm ${id} does not exist`);
      return realm;
    },
    byIdIn: read,
    lock: queries.locked,
    changed: (tx) => {
      tx.afterCommit(() => cache.clear());
      tx.notify(REALMS_CHANNEL, '');
    },
    forget: () => cache.clear(),
    stop,
  };
}
