import { ApiError } from '@bellhop/protocol';

import type { Realms } from '../../engine/app.ts';
import type { Db } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import * as linkifiers from '../linkifiers/queries.ts';
import * as queries from './queries.ts';

/** This node sees a change made by another node at most this much later. */
const CACHE_MS = 1000;

/** The URL of a realm, without a slash at its end. */
export function realmUrl(externalUrl: string, subdomain: string): string {
  const { host, protocol } = new URL(externalUrl);
  return `${protocol}//${subdomain === '' ? '' : `${subdomain}.`}${host}`;
}

/**
 * Finds realms by host name or id and caches them for a second. A subdomain of the external host is a
 * realm of its own; the external host and every other name (an IP address, localhost) are the default
 * realm.
 */
export function findRealms(db: Db, externalUrl: string, clock: () => number = Date.now): Realms {
  const { hostname } = new URL(externalUrl);
  const cache = new Map<string, { readonly realm: Promise<Realm>; readonly until: number }>();
  const cached = (key: string, load: () => Promise<Realm>): Promise<Realm> => {
    const entry = cache.get(key);
    if (entry && entry.until > clock()) return entry.realm;
    const realm = load();
    cache.set(key, { realm, until: clock() + CACHE_MS });
    realm.catch(() => cache.delete(key));
    if (cache.size > 10_000) cache.clear();
    return realm;
  };
  const complete = async (row: queries.RealmRow): Promise<Realm> => ({
    ...row,
    url: realmUrl(externalUrl, row.subdomain),
    linkifiers: await linkifiers.ofRealm(db, row.id),
  });
  return {
    atHost: (requested) => {
      const name = requested.replace(/:\d+$/, '');
      const subdomain = name.endsWith(`.${hostname}`) ? name.slice(0, -hostname.length - 1) : '';
      return cached(`at ${subdomain}`, async () => {
        const row = await queries.bySubdomain(db, subdomain);
        if (!row) throw new ApiError('NONEXISTENT_SUBDOMAIN');
        return complete(row);
      });
    },
    byId: (id) => cached(`id ${id}`, async () => complete(await queries.byId(db, id))),
    forget: () => cache.clear(),
  };
}
