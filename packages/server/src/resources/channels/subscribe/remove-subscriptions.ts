import { badRequest, foldCase, type UserId } from '@bellhop/protocol';

import type { Db, LockedChange } from '../../../engine/call.ts';
import type { Realm, User } from '../../../engine/caller.ts';
import * as channelRows from '../../../model/channels/channel-rows.ts';
import type { ChannelRow } from '../../../model/channels/channel-rows.ts';
import { channelsWithAccess } from '../../../model/channels/channels-with-access.ts';
import { principalsOf } from '../../../model/channels/subscribe/principals.ts';
import { unsubscribeUsers } from './unsubscribe-users.ts';

interface RemovalCall extends LockedChange<'stream' | 'subscription' | 'update_message_flags'> {
  readonly realm: Realm;
  readonly user: User;
}
interface Removal {
  readonly names: readonly string[];
  readonly principals?: readonly UserId[] | readonly string[] | undefined;
}

/**
 * Unsubscribes the caller or others. The answer names each channel once: under `removed` if any
 * subscription to it ended, else under `not_removed`. Throws BAD_REQUEST for an unknown channel, and
 * for other users (the caller's own bots excepted) without the permission to remove them.
 */
export async function removeSubscriptions(
  change: RemovalCall,
  { names, principals }: Removal,
): Promise<{ removed: string[]; not_removed: string[] }> {
  const { realm, user } = change;
  const users = await principalsOf(change.db, { realm, user }, principals);
  const forOthers = users.some(
    ({ id, bot_owner_id }) => id !== user.id && bot_owner_id !== user.id,
  );
  const channels = await channelsToLeave(change.db, user, { names, forOthers });
  const ended = await unsubscribeUsers(change, {
    realm,
    channels,
    users: users.map(({ id }) => id),
  });
  const left = new Set(ended.map(({ channel_id }) => channel_id));
  const namesOf = (isRemoved: boolean) =>
    channels.filter(({ id }) => left.has(id) === isRemoved).map(({ name }) => name);
  return { removed: namesOf(true), not_removed: namesOf(false) };
}

interface NamedChannels {
  readonly names: readonly string[];
  readonly forOthers: boolean;
}

async function channelsToLeave(
  db: Db,
  user: User,
  { names, forOthers }: NamedChannels,
): Promise<ChannelRow[]> {
  const requested = new Map(names.map((name) => [foldCase(name.trim()), name.trim()]));
  const rows = await channelRows.byNames(db, user.realm_id, [...requested.values()]);
  const viewed = await channelsWithAccess(db, user, rows);
  const visible = viewed.filter(({ access }) => access.seesMetadata);
  for (const { row } of visible) requested.delete(foldCase(row.name));
  const unknown = [...requested.values()];
  if (unknown.length > 0) throw badRequest(`Channel(s) (${unknown.join(', ')}) do not exist`);
  if (forOthers && !visible.every(({ access }) => access.removesSubscribers))
    throw badRequest('Insufficient permission');
  return visible.map(({ row }) => row);
}
