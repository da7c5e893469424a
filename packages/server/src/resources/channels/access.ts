import {
  ApiError,
  badRequest,
  type ChannelGroupSetting,
  type GroupSetting,
  type RealmGroupSetting,
  roles,
  type UserGroupId,
} from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { isInGroup } from '../user-groups/access.ts';
import { systemGroupIds } from '../user-groups/queries.ts';
import type { PostableChannel } from './postable-channel.ts';

/**
 * Throws BAD_REQUEST where the sender may not post: the channel is archived, private and not theirs
 * (nor their owner's, for a bot), or its `can_send_message_group` leaves them out.
 */
export function requireCanPost(channel: PostableChannel): void {
  const reachable = channel.is_subscribed || (!channel.invite_only && channel.sees_public);
  if (!reachable) throw badRequest('Not authorized to send to this channel');
  if (channel.is_archived || !channel.can_send)
    throw badRequest(`Not authorized to send to channel '${channel.name}'`);
}

/** Somebody who looks at channels, with all groups they belong to. */
export interface Viewer {
  readonly user: Pick<User, 'role'>;
  readonly groups: ReadonlySet<UserGroupId>;
}
interface Seen extends Readonly<Record<ChannelGroupSetting, UserGroupId>> {
  readonly invite_only: boolean;
  readonly is_web_public: boolean;
}

/**
 * Whether somebody may read a channel and subscribe to it: guests only what is web-public or they
 * are subscribed to, others all public channels and those that `can_subscribe_group` or
 * `can_add_subscribers_group` opens to them (spec, Create a channel).
 */
export function readsChannel(
  { user, groups }: Viewer,
  channel: Seen,
  isSubscribed: boolean,
): boolean {
  if (isSubscribed || channel.is_web_public) return true;
  if (user.role >= roles.guest) return false;
  return (
    !channel.invite_only ||
    groups.has(channel.can_subscribe_group) ||
    groups.has(channel.can_add_subscribers_group)
  );
}

/**
 * Whether somebody may know of a channel and of its subscribers: those who may read it, and of a
 * private one also administrators, of the realm or of the channel.
 */
export function seesChannel(viewer: Viewer, channel: Seen, isSubscribed: boolean): boolean {
  const { role } = viewer.user;
  return (
    readsChannel(viewer, channel, isSubscribed) ||
    role <= roles.admin ||
    (role < roles.guest && viewer.groups.has(channel.can_administer_channel_group))
  );
}

/** Whether somebody who may read a channel may subscribe others to it. */
export function addsSubscribers(
  { user, groups }: Viewer,
  channel: Seen,
  { group_settings }: Realm,
): boolean {
  if (user.role >= roles.guest) return false;
  return (
    user.role <= roles.admin ||
    groups.has(group_settings.can_add_subscribers_group) ||
    groups.has(channel.can_administer_channel_group) ||
    groups.has(channel.can_add_subscribers_group)
  );
}

interface Creation {
  readonly invite_only: boolean;
  readonly is_web_public: boolean;
  readonly is_default_stream: boolean;
  readonly topics_policy: string;
  readonly message_retention_days: number | string;
}

/**
 * Throws where somebody may not create such a channel: UNAUTHORIZED_PRINCIPAL for retention set by
 * anybody but an owner, BAD_REQUEST for the rest.
 */
export async function requireMayCreate(
  db: Db,
  { realm, user }: { realm: Realm; user: User },
  asked: Creation,
): Promise<void> {
  const mustBeIn = async (setting: RealmGroupSetting) => {
    if (user.role >= roles.guest || !(await isInGroup(db, user, realm.group_settings[setting])))
      throw badRequest('Insufficient permission');
  };
  await mustBeIn(
    asked.invite_only ? 'can_create_private_channel_group' : 'can_create_public_channel_group',
  );
  if (asked.is_default_stream) {
    if (user.role > roles.admin) throw badRequest('Insufficient permission');
    if (asked.invite_only) throw badRequest('A default channel cannot be private.');
  }
  if (asked.is_web_public) {
    if (asked.invite_only) throw badRequest('A web-public channel cannot be private.');
    if (realm.settings['enable_spectator_access'] !== true)
      throw badRequest('Web-public channels are not enabled.');
    await mustBeIn('can_create_web_public_channel_group');
  }
  if (asked.topics_policy !== 'inherit') await mustBeIn('can_set_topics_policy_group');
  if (asked.message_retention_days !== 'realm_default' && user.role > roles.owner)
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', { message: 'Must be an organization owner' });
}

/** Throws BAD_REQUEST where deletion is given to somebody by one who may not decide about it. */
export async function requireMaySetDeletion(
  db: Db,
  { realm, user }: { realm: Realm; user: User },
  groups: Readonly<Partial<Record<ChannelGroupSetting, GroupSetting | undefined>>>,
): Promise<void> {
  const asked = [groups.can_delete_any_message_group, groups.can_delete_own_message_group];
  if (asked.every((value) => value === undefined)) return;
  const { 'role:nobody': nobody } = await systemGroupIds(db, realm.id);
  const isGiven = (value: GroupSetting | undefined) =>
    typeof value === 'object'
      ? value.direct_members.length + value.direct_subgroups.length > 0
      : value !== undefined && value !== nobody;
  if (!asked.some(isGiven)) return;
  if (!(await isInGroup(db, user, realm.group_settings.can_set_delete_message_policy_group)))
    throw badRequest('Insufficient permission');
}
