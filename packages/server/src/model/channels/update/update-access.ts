import { badRequest, type ChannelGroupSetting, type GroupSetting, roles } from '@bellhop/protocol';

import type { Db, LockedTx } from '../../../engine/call.ts';
import type { Actor, User } from '../../../engine/caller.ts';
import { admitsSpectators } from '../../../engine/spectator.ts';
import { isPublic } from '../access.ts';
import { requireVisibleChannel, type ChannelWithAccess } from '../channels-with-access.ts';
import { requireCanSetDeletionGroups, requireInRealmGroup } from '../create/create-access.ts';
import { requireNoReports } from '../realm-channels.ts';
import { isSamePrivacy, type Privacy } from './privacy.ts';

/** The settings that let their groups read a private channel. */
const readerSettings: readonly ChannelGroupSetting[] = [
  'can_add_subscribers_group',
  'can_subscribe_group',
];

/** A channel that the user administers. Throws BAD_REQUEST otherwise. */
export async function requireAdministers(
  db: Db,
  { user }: Actor,
  id: ChannelWithAccess['row']['id'],
): Promise<ChannelWithAccess> {
  const channel = await requireVisibleChannel(db, user, id);
  if (!channel.access.administers)
    throw badRequest('You do not have permission to administer this channel.');
  return channel;
}

/** Throws BAD_REQUEST if the user administers a private channel but may not read it. */
export function requireContentAccess({ access }: ChannelWithAccess): void {
  if (!access.readsContent) throw badRequest('Channel content access is required.');
}

/** Throws BAD_REQUEST if the user may not give this channel another privacy. */
export async function requireCanChangePrivacy(
  db: LockedTx,
  actor: Actor,
  { channel, privacy }: { readonly channel: ChannelWithAccess; readonly privacy: Privacy },
): Promise<void> {
  const { realm } = actor;
  const { row } = channel;
  if (isSamePrivacy(row, privacy)) return;
  requireContentAccess(channel);
  if (isPublic(privacy) && !isPublic(row)) requireNoReports(realm, row.id);
  if (privacy.is_web_public && !row.is_web_public) {
    if (!admitsSpectators(realm)) throw badRequest('Web-public channels are not enabled.');
    await requireInRealmGroup(db, actor, 'can_create_web_public_channel_group');
  }
  if (privacy.invite_only !== row.invite_only)
    await requireInRealmGroup(
      db,
      actor,
      isPublic(privacy) ? 'can_create_public_channel_group' : 'can_create_private_channel_group',
    );
}

/** Throws BAD_REQUEST if the user may not give these permissions of the channel other values. */
export async function requireCanSetGroups(
  db: Db,
  actor: Actor,
  {
    channel,
    groups,
  }: {
    readonly channel: ChannelWithAccess;
    readonly groups: Readonly<Partial<Record<ChannelGroupSetting, GroupSetting>>>;
  },
): Promise<void> {
  if (readerSettings.some((name) => groups[name] !== undefined)) requireContentAccess(channel);
  await requireCanSetDeletionGroups(db, actor, groups);
}

/** Throws BAD_REQUEST unless the user may make this channel a default channel, or no longer one. */
export function requireCanSetDefault(
  { role }: User,
  { is_default, privacy }: { readonly is_default: boolean; readonly privacy: Privacy },
): void {
  if (role > roles.admin) throw badRequest('Insufficient permission');
  if (is_default && !isPublic(privacy)) throw badRequest('A default channel cannot be private.');
}
