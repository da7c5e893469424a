import {
  badRequest,
  type ChannelId,
  type ParamsOf,
  type Api,
  MAX_PARTICIPANTS,
  type UserId,
} from '@bellhop/protocol';

import type { Db } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';
import type { ChannelAddress } from '../../channels/channel-address.ts';
import { visibleAmong } from '../../users/access.ts';
import { apiEmail } from '../../users/user-record.ts';
import { requireByAddress } from '../../users/users-by-address.ts';

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

/** Users by id or by address. */
export type ListedUsers =
  | { readonly ids: readonly UserId[] }
  | { readonly emails: readonly string[] };

/**
 * The users listed in `to`. Throws BAD_REQUEST for an empty list, for one of both ids and addresses,
 * and for more than MAX_PARTICIPANTS.
 */
export function listedUsers(to: To): ListedUsers {
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
  if (new Set(listed).size > MAX_PARTICIPANTS) throw tooManyParticipants();
  return ids.length > 0 ? { ids } : { emails };
}

/** The ids of listed users. Throws BAD_REQUEST for an address by which the sender finds no user. */
export async function listedIds(
  db: Db,
  { realm, sender }: { realm: Realm; sender: User },
  listed: ListedUsers,
): Promise<readonly UserId[]> {
  if ('ids' in listed) return listed.ids;
  return (await requireByAddress(db, { realm, viewer: sender }, listed.emails)).map(({ id }) => id);
}

/**
 * The participants of a direct message, including the sender, ordered by id. `known` has the users
 * with these ids, if they exist. Throws BAD_REQUEST for users who are unknown, deactivated or not
 * visible to the sender, and for more than MAX_PARTICIPANTS with the sender.
 */
export async function participantsOf(
  db: Db,
  { realm, sender }: { realm: Realm; sender: User },
  { ids, known }: { ids: readonly UserId[]; known: ReadonlyMap<UserId, User> },
): Promise<User[]> {
  const listed = [...new Set(ids)].flatMap((id) => known.get(id) ?? []);
  const visible = await visibleAmong(db, { realm, viewer: sender }, listed);
  const found = new Set(visible.map(({ id }) => id));
  const missing = ids.find((id) => !found.has(id));
  if (missing !== undefined) throw badRequest(`Invalid user ID ${missing}`);
  const deactivated = visible.find(({ is_active }) => !is_active);
  if (deactivated)
    throw badRequest(`'${apiEmail(deactivated, realm)}' is no longer using this server.`);
  const everyone = found.has(sender.id) ? visible : [...visible, sender];
  if (everyone.length > MAX_PARTICIPANTS) throw tooManyParticipants();
  return everyone.toSorted((one, other) => one.id - other.id);
}

const tooManyParticipants = () =>
  badRequest(`A direct message has at most ${MAX_PARTICIPANTS} participants.`);
