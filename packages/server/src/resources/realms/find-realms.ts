import { ApiError } from '@bellhop/protocol';

import type { Realms } from '../../engine/app.ts';
import type { Db } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import * as queries from './queries.ts';

/** Another node's change to a realm is seen here this much later at most. */
const KEEP_MS = 1000;

/** The address of a realm, no slash at its end. */
export function realmUrl(externalUrl: string, subdomain: string): string {
  const { host, protocol } = new URL(externalUrl);
  return `${protocol}//${subdomain === '' ? '' : `${subdomain}.`}${host}`;
}

/**
 * Realms by host name: a subdomain of the external host, or the realm at the external host itself,
 * which is also the one for any other name (an address, localhost). Kept for a second.
 */
export function findRealms(db: Db, externalUrl: string, clock: () => number = Date.now): Realms {
  const { hostname } = new URL(externalUrl);
  const kept = new Map<string, { readonly realm: Promise<Realm>; readonly until: number }>();
  const keep = (key: string, load: () => Promise<Realm>): Promise<Realm> => {
    const known = kept.get(key);
    if (known && known.until > clock()) return known.realm;
    const realm = load();
    kept.set(key, { realm, until: clock() + KEEP_MS });
    realm.catch(() => kept.delete(key));
    if (kept.size > 10_000) kept.clear();
    return realm;
  };
  const urlOf = (subdomain: string) => realmUrl(externalUrl, subdomain);
  return {
    atHost: (requested) => {
      const name = requested.replace(/:\d+$/, '');
      const subdomain = name.endsWith(`.${hostname}`) ? name.slice(0, -hostname.length - 1) : '';
      return keep(`at ${subdomain}`, async () => {
        const row = await queries.bySubdomain(db, subdomain);
        if (!row) throw new ApiError('NONEXISTENT_SUBDOMAIN');
        return { ...row, url: urlOf(row.subdomain) };
      });
    },
    byId: (id) =>
      keep(`id ${id}`, async () => {
        const row = await queries.byId(db, id);
        return { ...row, url: urlOf(row.subdomain) };
      }),
    forget: () => kept.clear(),
  };
}
