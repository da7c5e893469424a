import {
  badRequest,
  type ChannelId,
  type ParamsOf,
  type Api,
  type UserId,
} from '@bellhop/protocol';

import type { Db } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';
import type { ChannelAddress } from '../../channels/channel-address.ts';
import { visibleByIds } from '../../users/access.ts';
import { apiEmail } from '../../users/user-record.ts';
import { usersByAddress } from '../../users/users-by-address.ts';

type To = ParamsOf<Api['messages']['send']>['to'];

/** The channel in `to`: a name, an id, or a list with one of them. Throws BAD_REQUEST. */
export function channelOf(to: To): ChannelAddress {
  const channel = Array.isArray(to) ? to[0] : to;
  if (channel === undefined || (Array.isArray(to) && to.length > 1))
    throw badRequest('Expected exactly one channel');
  if (typeof channel === 'number') return { id: channel as ChannelId };
  const name = channel.trim();
  if (name === '') throw badRequest("Channel name can't be empty.");
  return { name };
}

/**
 * The participants of the direct message to `to`, including the sender, ordered by id. Throws
 * BAD_REQUEST for an empty list, for users who are unknown, deactivated or not visible to the sender,
 * and for a list of both ids and addresses.
 */
export async function participantsOf(
  db: Db,
  { realm, sender }: { realm: Realm; sender: User },
  to: To,
): Promise<User[]> {
  if (typeof to === 'number')
    throw badRequest('Recipient list: expected a list of user IDs, as [12]');
  const listed =
    typeof to === 'string'
      ? to
          .split(',')
          .map((email) => email.trim())
          .filter(Boolean)
      : to;
  if (listed.length === 0) throw badRequest('Message must have recipients');
  const ids = listed.filter((item): item is UserId => typeof item === 'number');
  const emails = listed.filter((item) => typeof item === 'string');
  if (ids.length > 0 && emails.length > 0)
    throw badRequest('Recipient lists may contain emails or user IDs, but not both.');
  const found =
    ids.length > 0
      ? await visibleByIds(db, { realm, viewer: sender }, ids)
      : await byAddress(db, { realm, sender }, emails);
  if (ids.length > 0 && found.length < new Set(ids).size) {
    const known = new Set<number>(found.map(({ id }) => id));
    throw badRequest(`Invalid user ID ${ids.find((id) => !known.has(id))}`);
  }
  const deactivated = found.find(({ is_active }) => !is_active);
  if (deactivated)
    throw badRequest(`'${apiEmail(deactivated, realm)}' is no longer using this server.`);
  const everyone = found.some(({ id }) => id === sender.id) ? found : [...found, sender];
  return everyone.toSorted((one, other) => one.id - other.id);
}

/** Users by address, as far as the sender may find them. Throws BAD_REQUEST for an unknown address. */
export async function byAddress(
  db: Db,
  { realm, sender }: { realm: Realm; sender: User },
  emails: readonly string[],
): Promise<readonly User[]> {
  const found = await usersByAddress(db, { realm, viewer: sender }, emails);
  if (found.unknown !== undefined) throw badRequest(`Invalid email '${found.unknown}'`);
  return found.users;
}
