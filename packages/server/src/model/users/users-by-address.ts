import { badRequest, foldCase, type UserId } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { visibleAmong, visibleByIds } from './access.ts';
import * as users from './queries.ts';
import { showsEmail } from './user-record.ts';

export interface FoundPeople {
  readonly users: readonly User[];
  /** The first address by which the viewer finds no user. */
  readonly unknown: string | undefined;
}

/**
 * Finds the users whom the viewer may see by address, in any letter case. The address with the user's
 * id, which the API shows in place of a hidden one, finds each of them; a real address finds a user
 * only if the viewer may see the address.
 */
export async function usersByAddress(
  db: Db,
  { realm, viewer }: { realm: Realm; viewer: User },
  addresses: readonly string[],
): Promise<FoundPeople> {
  if (addresses.length === 0) return { users: [], unknown: undefined };
  const emails = addresses.map((address) => foldCase(address.trim()));
  const ids = emails.map((email) => Number(/^user(\d{1,15})@/.exec(email)?.[1] ?? Number.NaN));
  const [byEmail, byId] = await Promise.all([
    users.byEmails(db, realm.id, emails),
    ids.some(Number.isInteger) ? users.byIds(db, realm.id, ids.filter(Number.isInteger)) : [],
  ]);
  const found = new Map<string, User>();
  const { hostname } = new URL(realm.url);
  for (const user of byId) found.set(`user${user.id}@${hostname}`, user);
  for (const user of byEmail)
    if (showsEmail(user, viewer)) found.set(foldCase(user.delivery_email), user);
  const visible = new Set(await visibleAmong(db, { realm, viewer }, [...found.values()]));
  const asked = emails.map((email) => {
    const user = found.get(email);
    return user && visible.has(user) ? user : undefined;
  });
  const at = asked.indexOf(undefined);
  const known = asked.filter((user) => user !== undefined);
  return {
    users: [...new Map(known.map((user) => [user.id, user])).values()],
    unknown: at === -1 ? undefined : addresses[at],
  };
}

/** The users whom `usersByAddress` finds. Throws BAD_REQUEST for an address by which it finds no user. */
export async function requireByAddress(
  db: Db,
  among: { realm: Realm; viewer: User },
  addresses: readonly string[],
): Promise<readonly User[]> {
  const { users: found, unknown } = await usersByAddress(db, among, addresses);
  if (unknown !== undefined) throw badRequest(`Invalid email '${unknown}'`);
  return found;
}

/** The user with this id, or whom `usersByAddress` finds; undefined if the viewer may not see them. */
export async function visibleUser(
  db: Db,
  among: { realm: Realm; viewer: User },
  user: UserId | string,
): Promise<User | undefined> {
  const [found] =
    typeof user === 'number'
      ? await visibleByIds(db, among, [user])
      : (await usersByAddress(db, among, [user])).users;
  return found;
}
