import type { Grant, GroupSetting, SystemGroup, UserGroupId, UserId } from '@bellhop/protocol';
import type { PermissionCase } from '@bellhop/server/contract-fixtures';
import type { Person, TestChat } from '@bellhop/server/testing';

import { flagOf, type PermissionSettings } from './required-permissions.ts';

/** The value of a group setting, or of a true or false one. */
export type SettingValue = GroupSetting | boolean;
/** Values by grant: `realm.can_create_groups`. */
type SettingValues = Readonly<Record<string, SettingValue>>;

/** Sets permission settings by the API. */
export interface SettingWriter {
  /** The value of a setting that leaves out everybody, or everybody but owners. */
  readonly smallest: (grant: Grant) => SettingValue;
  /** Gives these settings of the realm their values, and all its others their defaults. */
  readonly arrangeRealm: (values: SettingValues) => Promise<void>;
  /** Sets those of the values that belong to the channel or the user group of a case. */
  readonly set: (on: PermissionCase, values: SettingValues) => Promise<void>;
  /** Values of a setting that name this person, by title. */
  readonly naming: (
    grant: Grant,
    person: Person,
  ) => Promise<Readonly<Record<string, SettingValue>>>;
}

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
  const defaultOf = (grant: string): SettingValue =>
    flagOf(grant) === undefined && systemGroup(settings.get(grant)?.default_group_name ?? SMALLEST);
  const write = async (route: string, kind: string, values: SettingValues) => {
    const own = Object.entries(values).filter(([grant]) => grant.startsWith(`${kind}.`));
    if (own.length === 0) return;
    const fields = own.map(([grant, value]) => {
      const name = flagOf(grant) ?? grant.slice(`${kind}.`.length);
      return [name, JSON.stringify(typeof value === 'boolean' ? value : { new: value })];
    });
    const { body } = await chat.ask(desdemona, route, Object.fromEntries(fields));
    if (body['result'] !== 'success') throw new Error(`${route}: ${JSON.stringify(body)}`);
  };
  /** The settings of the realm that have another value than their default. */
  let arranged: SettingValues = {};
  const groups = new Map<Person, ReturnType<typeof makeGroups>>();
  const makeGroups = async ({ user }: Person) => {
    const create = (name: string, members: UserId[], subgroups: UserGroupId[]) =>
      desdemona.client.userGroups.create({ name, description: '', members, subgroups });
    const { group_id: own } = await create(`Group of ${user.id}`, [user.id], []);
    const { group_id: outer } = await create(`Group around ${user.id}`, [], [own]);
    return { own, outer };
  };
  return {
    smallest: (grant) =>
      flagOf(grant) !== undefined ||
      systemGroup(settings.get(grant)?.allow_nobody_group ? SMALLEST : 'role:owners'),
    async arrangeRealm(values) {
      const wanted = Object.fromEntries(
        Object.entries(values).filter(([grant]) => grant.startsWith('realm.')),
      );
      const changed = [...new Set([...Object.keys(arranged), ...Object.keys(wanted)])]
        .map((grant) => [grant, wanted[grant] ?? defaultOf(grant)] as const)
        .filter(([grant, value]) => value !== (arranged[grant] ?? defaultOf(grant)));
      await write('PATCH /realm', 'realm', Object.fromEntries(changed));
      arranged = wanted;
    },
    async set({ channel_id, group_id }, values) {
      await write(`PATCH /streams/${channel_id}`, 'channel', values);
      await write(`PATCH /user_groups/${group_id}`, 'group', values);
    },
    async naming(grant, person) {
      if (flagOf(grant) !== undefined) return { off: false };
      // Such a setting names no other groups: moderators are the largest.
      if (settings.get(grant)?.require_system_group)
        return { 'its system group': systemGroup('role:moderators') };
      const made = groups.get(person) ?? makeGroups(person);
      groups.set(person, made);
      const { own, outer } = await made;
      return {
        'the user alone': { direct_members: [person.user.id], direct_subgroups: [] },
        'a group of the user': own,
        'a group with a group of the user': outer,
      };
    },
  };
}

const SMALLEST: SystemGroup = 'role:nobody';
