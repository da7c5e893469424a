import type { RealmId } from '@bellhop/protocol';

/**
 * Reads what requests of several realms ask for, with one statement for each realm: a statement concerns the
 * tables of one realm. The results are in the order of the requests.
 */
export async function byRealm<Request, Result>(
  requests: readonly Request[],
  realmOf: (request: Request) => RealmId,
  read: (realm: RealmId, requests: readonly Request[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results = new Map<Request, Result>();
  const realms = Map.groupBy(requests, realmOf);
  await Promise.all(
    [...realms].map(async ([realm, own]) => {
      const found = await read(realm, own);
      for (const [at, one] of own.entries()) results.set(one, found[at] as Result);
    }),
  );
  return requests.map((one) => results.get(one) as Result);
}
