import type { GroupSetting, Grant, SystemGroup, UserGroupId } from '@bellhop/protocol';
import type { PermissionCase } from '@bellhop/server/contract-fixtures';
import type { Person, TestChat } from '@bellhop/server/testing';

import { flagOf, type PermissionSettings } from './required-permissions.ts';

/** The value of a group setting, or of a true or false one. */
type SettingValue = GroupSetting | boolean;

/** Sets permission settings by the API. */
export interface SettingWriter {
  /** The value of a setting that leaves out everybody, or everybody but owners. */
  readonly smallest: (grant: Grant) => SettingValue;
  readonly defaultOf: (grant: Grant) => SettingValue | undefined;
  readonly set: (grant: Grant, on: PermissionCase, value: SettingValue) => Promise<void>;
  /** Values of a setting that name this person, by title. */
  readonly naming: (
    grant: Grant,
    person: Person,
  ) => Promise<Readonly<Record<string, SettingValue>>>;
}

let groups = 0;

export async function settingWriter(
  chat: TestChat,
  settings: PermissionSettings,
): Promise<SettingWriter> {
  const { desdemona } = chat.people;
  const { user_groups } = await desdemona.client.userGroups.list({});
  const byName = new Map(user_groups.map(({ name, id }) => [name, id]));
  const systemGroup = (name: string): UserGroupId => {
    const id = byName.get(name);
    if (id === undefined) throw new Error(`The realm has no group ${name}`);
    return id;
  };
  const newGroup = async (members: readonly Person[], subgroups: UserGroupId[] = []) => {
    const { group_id } = await desdemona.client.userGroups.create({
      name: `Grant ${++groups}`,
      description: '',
      members: members.map(({ user }) => user.id),
      subgroups,
    });
    return group_id;
  };
  const set: SettingWriter['set'] = async (grant, { channel_id, group_id }, value) => {
    const [kind, name = ''] = grant.replace('=false', '').split('.');
    const routes = {
      realm: 'PATCH /realm',
      channel: `PATCH /streams/${channel_id}`,
      group: `PATCH /user_groups/${group_id}`,
    };
    const route = routes[kind as keyof typeof routes];
    const isFlag = typeof value === 'boolean';
    const fields = { [name]: JSON.stringify(isFlag ? value : { new: value }) };
    const { body } = await chat.ask(desdemona, route, fields);
    if (body['result'] !== 'success') throw new Error(`${route} ${name}: ${JSON.stringify(body)}`);
  };
  const SMALLEST: SystemGroup = 'role:nobody';
  return {
    smallest: (grant) =>
      flagOf(grant) !== undefined ||
      systemGroup(settings.get(grant)?.allow_nobody_group ? SMALLEST : 'role:owners'),
    defaultOf: (grant) => {
      if (flagOf(grant) !== undefined) return false;
      return grant.startsWith('realm.')
        ? systemGroup(settings.get(grant)?.default_group_name ?? SMALLEST)
        : undefined;
    },
    set,
    naming: async (grant, person) => {
      if (flagOf(grant) !== undefined) return { off: false };
      // Such a setting names no other groups: moderators are the largest.
      if (settings.get(grant)?.require_system_group)
        return { 'its system group': systemGroup('role:moderators') };
      const group = await newGroup([person]);
      return {
        'the user alone': { direct_members: [person.user.id], direct_subgroups: [] },
        'a group of the user': group,
        'a group with a group of the user': await newGroup([], [group]),
      };
    },
  };
}
