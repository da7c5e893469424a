import { ApiError, badRequest, type RealmGroupSetting, type Role, roles } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { User, UserInRealm } from '../../engine/caller.ts';
import { isInGroup } from '../user-groups/access.ts';
import type { SentInvite } from './queries.ts';

/** Throws BAD_REQUEST for guests. The contract refuses bots (`human`), whom `member` would admit. */
export function requireMember({ role }: Pick<User, 'role'>): void {
  if (role >= roles.guest) throw badRequest('Not allowed for guest users');
}

/** Throws BAD_REQUEST unless the user is a member whom the realm's setting names. */
export async function requireMayInvite(
  db: Db,
  { realm, user }: UserInRealm,
  setting: Extract<RealmGroupSetting, 'can_invite_users_group' | 'create_multiuse_invite_group'>,
): Promise<void> {
  requireMember(user);
  if (!(await isInGroup(db, user, realm.group_settings[setting])))
    throw badRequest('Insufficient permission');
}

/** Whether the user may invite people now, by a reusable link or by mail. */
export const mayInvite = async (
  db: Db,
  { realm, user }: UserInRealm,
  byLink: boolean,
): Promise<boolean> =>
  user.role < roles.guest &&
  (await isInGroup(
    db,
    user,
    realm.group_settings[byLink ? 'create_multiuse_invite_group' : 'can_invite_users_group'],
  ));

/** The lowest role that invites people as this one. */
const inviters: Readonly<Record<Role, Role>> = {
  [roles.owner]: roles.owner,
  [roles.admin]: roles.admin,
  [roles.moderator]: roles.admin,
  [roles.member]: roles.member,
  [roles.guest]: roles.member,
};

export const mayInviteAs = ({ role }: Pick<User, 'role'>, invited: Role): boolean =>
  role <= inviters[invited];

/** Throws UNAUTHORIZED_PRINCIPAL if only users with a higher role invite people as this one. */
export function requireMayInviteAs(user: Pick<User, 'role'>, invited: Role): void {
  if (mayInviteAs(user, invited)) return;
  const who = invited === roles.owner ? 'owner' : 'administrator';
  throw new ApiError('UNAUTHORIZED_PRINCIPAL', { message: `Must be an organization ${who}` });
}

/**
 * Returns the invitation if the user may revoke it and send it again: their own, or as an administrator
 * who could have sent it. Throws BAD_REQUEST for an unknown invitation and for that of another user,
 * UNAUTHORIZED_PRINCIPAL for that of an owner.
 */
export function requireManages(user: User, invite: SentInvite | undefined): SentInvite {
  requireMember(user);
  if (!invite || (invite.invited_by !== user.id && user.role > roles.admin))
    throw badRequest('No such invitation');
  if (invite.invited_by !== user.id) requireMayInviteAs(user, invite.invited_as);
  return invite;
}
