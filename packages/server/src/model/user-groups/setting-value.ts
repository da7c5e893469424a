import {
  ApiError,
  badRequest,
  type GroupSetting,
  type GroupSettingUpdate,
  type PermissionSetting,
  type RealmId,
  type UserGroupId,
} from '@bellhop/protocol';

import type { Tx } from '../../engine/call.ts';
import * as users from '../users/queries.ts';
import * as queries from './queries.ts';

export interface SettingRequest {
  readonly realm: { readonly id: RealmId };
  /** The setting, as errors name it: `can_send_message_group`. */
  readonly name: string;
  readonly value: GroupSetting;
  readonly rule: PermissionSetting;
}

/**
 * The group to store for a permission setting: a named group, or a new anonymous one for a list of
 * users and groups (spec, Conventions 4). A list of one group is that group, an empty list is nobody.
 * Throws BAD_REQUEST for a group or user that is unknown, deactivated or not allowed for this setting,
 * SYSTEM_GROUP_REQUIRED if the setting takes system groups only.
 */
export async function settingGroup(tx: Tx, request: SettingRequest): Promise<UserGroupId> {
  const { realm, name, rule } = request;
  const value = await simplified(tx, request);
  if (typeof value === 'object' && rule.require_system_group) throw systemGroupRequired(name);
  const ids = typeof value === 'object' ? value.direct_subgroups : [value];
  const groups = await queries.usable(tx, realm.id, ids);
  if (groups.length < new Set(ids).size) throw badRequest('Invalid user group');
  for (const group of groups) requireAllowed(request, group);
  if (typeof value !== 'object') return value;
  await requireActive(tx, realm.id, value.direct_members);
  return queries.insertAnonymous(tx, realm.id, value);
}

/** A setting that changes: the group to store, and the value as the API shows it. */
export interface ChangedSetting {
  readonly id: UserGroupId;
  readonly value: GroupSetting;
}

/**
 * The new value of a permission setting whose stored group is `current` (spec, Conventions 5).
 * Undefined if the value stays the same. Throws EXPECTATION_MISMATCH if `old` is not the current
 * value, and what `settingGroup` throws. When the new group is stored, the caller deletes the former
 * one with `deleteAnonymous`.
 */
export async function changedSettingGroup(
  tx: Tx,
  { update, ...request }: Omit<SettingRequest, 'value'> & { readonly update: GroupSettingUpdate },
  current: UserGroupId,
): Promise<ChangedSetting | undefined> {
  const { realm } = request;
  const shown = (await queries.settingValues(tx, realm.id, [current])).get(current) ?? current;
  const meant = (value: GroupSetting) => simplified(tx, { realm, value });
  if (update.old != null && !isSame(await meant(update.old), await meant(shown)))
    throw new ApiError('EXPECTATION_MISMATCH', {
      message: "'old' is not the current value of this setting.",
      data: { field_name: 'old' },
    });
  const value = await meant(update.new);
  // Nobody replaces a list that is only shown as empty: its deactivated users could come back.
  if (isSame(value, shown)) return undefined;
  return { id: await settingGroup(tx, { ...request, value }), value };
}

const isSame = (one: GroupSetting, other: GroupSetting): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** One group instead of a list of it, nobody instead of an empty list; lists are sorted. */
async function simplified(
  tx: Tx,
  { realm, value }: Pick<SettingRequest, 'realm' | 'value'>,
): Promise<GroupSetting> {
  if (typeof value !== 'object') return value;
  const direct_members = sortedIds(value.direct_members);
  const direct_subgroups = sortedIds(value.direct_subgroups);
  const [only, ...others] = direct_subgroups;
  if (direct_members.length > 0 || others.length > 0) return { direct_members, direct_subgroups };
  return only ?? (await queries.systemGroupIds(tx, realm.id))['role:nobody'];
}

const sortedIds = <Id extends number>(ids: readonly Id[]): Id[] =>
  [...new Set(ids)].toSorted((a, b) => a - b);

const systemGroupRequired = (setting_name: string) =>
  new ApiError('SYSTEM_GROUP_REQUIRED', {
    message: `'${setting_name}' takes a system user group only`,
    data: { setting_name },
  });

function requireAllowed(
  { name, rule }: SettingRequest,
  group: { readonly name: string | null; readonly is_system_group: boolean },
): void {
  if (!group.is_system_group) {
    if (rule.require_system_group) throw systemGroupRequired(name);
    if (group.name === null) throw badRequest('Invalid user group');
    return;
  }
  const system = group.name ?? '';
  const allowed =
    (system !== 'role:internet' || rule.allow_internet_group) &&
    (system !== 'role:nobody' || rule.allow_nobody_group) &&
    (system !== 'role:everyone' || rule.allow_everyone_group) &&
    (rule.allowed_system_groups.length === 0 || rule.allowed_system_groups.includes(system));
  if (!allowed) throw badRequest(`'${name}' cannot be set to the group '${system}'.`);
}

async function requireActive(tx: Tx, realm: RealmId, ids: readonly number[]): Promise<void> {
  const found = await users.byIds(tx, realm, ids);
  const active = new Set<number>(found.filter((user) => user.is_active).map(({ id }) => id));
  const unknown = ids.find((id) => !active.has(id));
  if (unknown !== undefined) throw badRequest(`Invalid user ID ${unknown}`);
}
