import {
  type Api,
  badRequest,
  type ChannelId,
  type ParamsOf,
  roles,
  type UserGroupId,
} from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Db } from '../../engine/call.ts';
import type { Actor, UserInRealm } from '../../engine/caller.ts';
import * as channelRows from '../channels/channel-rows.ts';
import { channelsWithAccess } from '../channels/channels-with-access.ts';
import { groupRights, isInGroup, requireGroupRight } from '../user-groups/access.ts';
import { groupRow } from '../user-groups/group-rows.ts';
import { requireMayInviteAs } from './access.ts';
import type { InviteRow } from './queries.ts';

type InviteParams = Pick<
  ParamsOf<Api['invites']['send']>,
  | 'invite_expires_in_minutes'
  | 'invite_as'
  | 'stream_ids'
  | 'group_ids'
  | 'include_realm_default_subscriptions'
  | 'welcome_message_custom_text'
>;
/** What an invitation grants to the user who accepts it. */
export type InviteGrants = Omit<
  InviteRow,
  'id' | 'email' | 'notify_referrer' | 'token_mac' | 'token_sealed' | 'link_id'
>;

/**
 * Checks what the caller wants to grant, and returns them as columns. Throws
 * UNAUTHORIZED_PRINCIPAL for a role that the caller may not give, BAD_REQUEST for a channel or
 * group to which they may not add people.
 */
export async function checkedGrants(
  db: Db,
  actor: Actor,
  { app, params }: { readonly app: Pick<App, 'config'>; readonly params: InviteParams },
): Promise<InviteGrants> {
  const { realm, user, now } = actor;
  requireMayInviteAs(user, params.invite_as);
  await requireMayGrantChannels(db, actor, params.stream_ids);
  await requireMayGrantGroups(db, actor, params.group_ids);
  const minutes = params.invite_expires_in_minutes ?? app.config.inviteMinutes;
  const isEndless = params.invite_expires_in_minutes === null;
  return {
    realm_id: realm.id,
    invited_by: user.id,
    invited_as: params.invite_as,
    channel_ids: [...new Set(params.stream_ids)],
    group_ids: [...new Set(params.group_ids)],
    include_default_channels: params.include_realm_default_subscriptions,
    welcome_text: user.role <= roles.admin ? params.welcome_message_custom_text : null,
    invited_at: now,
    expires_at: isEndless ? null : now + minutes * 60,
  };
}

/**
 * Each must be a default channel or one to which the caller may add subscribers. A caller who may
 * add subscribers to no channel, whatever its settings, may not name a default channel either
 * (spec, Send invitations).
 */
async function requireMayGrantChannels(
  db: Db,
  actor: Actor,
  stream_ids: readonly ChannelId[],
): Promise<void> {
  if (stream_ids.length === 0) return;
  const { known, grantable } = await channelsToGrant(db, actor, stream_ids);
  const ids = new Set(known);
  const unknown = stream_ids.find((id) => !ids.has(id));
  if (unknown !== undefined)
    throw badRequest(`Invalid channel ID ${unknown}. No invites were sent.`);
  if (grantable.length < known.length)
    throw badRequest('You do not have permission to subscribe other users to channels.');
}

type Inviter = UserInRealm;

/** Which of these channels the inviter knows, and to which of those they may add people now. */
async function channelsToGrant(db: Db, { realm, user }: Inviter, ids: readonly ChannelId[]) {
  const rows = await channelRows.byIds(db, realm.id, ids);
  const viewed = await channelsWithAccess(db, user, rows);
  const known = viewed.filter(({ row, access }) => access.seesMetadata && !row.is_archived);
  const mayUseDefaults = await isInGroup(db, user, realm.group_settings.can_add_subscribers_group);
  const grantable = known.filter(
    ({ row, access }) => access.addsSubscribers || (row.is_default && mayUseDefaults),
  );
  return { known: known.map(({ row }) => row.id), grantable: grantable.map(({ row }) => row.id) };
}

/**
 * The channels and groups of an invitation to which its sender may add people now: what they granted
 * and may no longer give is not given.
 */
export async function grantsNow(
  db: Db,
  inviter: Inviter,
  { channel_ids, group_ids }: Pick<InviteRow, 'channel_ids' | 'group_ids'>,
): Promise<{ readonly channels: readonly ChannelId[]; readonly groups: readonly UserGroupId[] }> {
  const { grantable } = await channelsToGrant(db, inviter, channel_ids);
  const groups: UserGroupId[] = [];
  for (const id of group_ids) {
    const group = await groupRow(db, inviter.realm.id, id);
    if (!group.deactivated && (await groupRights(db, inviter, group)).addsMembers) groups.push(id);
  }
  return { channels: grantable, groups };
}

async function requireMayGrantGroups(
  db: Db,
  actor: Actor,
  group_ids: readonly UserGroupId[],
): Promise<void> {
  for (const id of group_ids) {
    const group = await groupRow(db, actor.realm.id, id);
    if (group.deactivated) throw badRequest('Invalid user group');
    await requireGroupRight(db, actor, { group, right: 'addsMembers' });
  }
}
