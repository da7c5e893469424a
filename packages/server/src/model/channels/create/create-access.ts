import {
  ApiError,
  badRequest,
  type ChannelGroupSetting,
  type GroupSetting,
  type RealmGroupSetting,
  roles,
} from '@bellhop/protocol';

import type { Db, Tx } from '../../../engine/call.ts';
import type { Actor } from '../../../engine/caller.ts';
import { admitsSpectators } from '../../../engine/spectator.ts';
import { requireUsableFolder } from '../../channel-folders/access.ts';
import { isInGroup } from '../../user-groups/access.ts';
import { systemGroupIds } from '../../user-groups/queries.ts';
import { isPublic } from '../access.ts';
import type { ChannelCreation } from './channel-creation.ts';

/**
 * Throws if the user may not create such a channel: UNAUTHORIZED_PRINCIPAL for a retention time set
 * by anyone but an owner, BAD_REQUEST otherwise.
 */
export async function requireCanCreateChannel(
  db: Tx,
  actor: Actor,
  channel: ChannelCreation,
): Promise<void> {
  const { realm, user } = actor;
  const requireMember = (setting: RealmGroupSetting) => requireInRealmGroup(db, actor, setting);
  await requireMember(
    isPublic(channel) ? 'can_create_public_channel_group' : 'can_create_private_channel_group',
  );
  if (channel.is_default_stream) {
    if (user.role > roles.admin) throw badRequest('Insufficient permission');
    if (!isPublic(channel)) throw badRequest('A default channel cannot be private.');
  }
  if (channel.is_web_public) {
    if (!isPublic(channel)) throw badRequest('A web-public channel cannot be private.');
    if (!admitsSpectators(realm)) throw badRequest('Web-public channels are not enabled.');
    await requireMember('can_create_web_public_channel_group');
  }
  if (channel.topics_policy !== 'inherit') await requireMember('can_set_topics_policy_group');
  if (channel.message_retention_days !== 'realm_default' && user.role > roles.owner)
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', { message: 'Must be an organization owner' });
  await requireUsableFolder(db, realm.id, channel.folder_id);
  await requireCanSetDeletionGroups(db, actor, channel);
}

/**
 * Throws BAD_REQUEST if a new channel lets anyone delete messages, and the user is not in the
 * realm's `can_set_delete_message_policy_group`.
 */
export async function requireCanSetDeletionGroups(
  db: Db,
  { realm, user }: Actor,
  groups: Readonly<Partial<Record<ChannelGroupSetting, GroupSetting | undefined>>>,
): Promise<void> {
  const values = [groups.can_delete_any_message_group, groups.can_delete_own_message_group];
  if (values.every((value) => value === undefined)) return;
  const { 'role:nobody': nobody } = await systemGroupIds(db, realm.id);
  const namesSomebody = (value: GroupSetting | undefined) =>
    typeof value === 'object'
      ? value.direct_members.length > 0 || value.direct_subgroups.some((id) => id !== nobody)
      : value !== undefined && value !== nobody;
  if (!values.some(namesSomebody)) return;
  if (!(await isInGroup(db, user, realm.group_settings.can_set_delete_message_policy_group)))
    throw badRequest('Insufficient permission');
}

/** Throws BAD_REQUEST for guests and for users who are not in the group of a realm's permission. */
export async function requireInRealmGroup(
  db: Db,
  { realm, user }: Actor,
  setting: RealmGroupSetting,
): Promise<void> {
  if (user.role >= roles.guest || !(await isInGroup(db, user, realm.group_settings[setting])))
    throw badRequest('Insufficient permission');
}
