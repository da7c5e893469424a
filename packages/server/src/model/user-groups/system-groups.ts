import {
  type RealmId,
  roles,
  type SystemGroup,
  systemGroups,
  type UserGroupId,
} from '@bellhop/protocol';

import type { Tx } from '../../engine/call.ts';
import * as queries from './queries.ts';

/** Members are the users whose role number is at most `role_limit`; null: nobody. */
const limits: Record<SystemGroup, { description: string; role_limit: number | null }> = {
  'role:nobody': { description: 'Nobody', role_limit: null },
  'role:owners': { description: 'Owners of this organization', role_limit: roles.owner },
  'role:administrators': {
    description: 'Administrators of this organization, including owners',
    role_limit: roles.admin,
  },
  'role:moderators': {
    description: 'Moderators of this organization, including administrators',
    role_limit: roles.moderator,
  },
  'role:fullmembers': {
    description: 'Members of this organization, not including new accounts and guests',
    role_limit: roles.member,
  },
  'role:members': {
    description: 'Members of this organization, not including guests',
    role_limit: roles.member,
  },
  'role:everyone': {
    description: 'Everyone in this organization, including guests',
    role_limit: roles.guest,
  },
  'role:internet': { description: 'Everyone on the Internet', role_limit: roles.guest + 1 },
};

/** Creates the system groups of a realm; each contains the one before it. */
export async function createSystemGroups(
  tx: Tx,
  realm: RealmId,
): Promise<Record<SystemGroup, UserGroupId>> {
  const ids: Partial<Record<SystemGroup, UserGroupId>> = {};
  for (const name of systemGroups)
    ids[name] = await queries.insertSystemGroup(tx, {
      realm_id: realm,
      name,
      ...limits[name],
      full_members_only: name === 'role:fullmembers',
    });
  const made = ids as Record<SystemGroup, UserGroupId>;
  await queries.forbidChanges(tx, realm, made['role:nobody']);
  for (const [at, name] of systemGroups.entries()) {
    const inner = systemGroups[at - 1];
    if (inner && inner !== 'role:nobody')
      await queries.addSubgroup(tx, realm, made[name], made[inner]);
  }
  return made;
}
