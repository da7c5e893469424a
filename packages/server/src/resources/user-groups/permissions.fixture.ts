import { newGroup, type PermissionCases } from '../../permission-case.fixture.ts';
import type { Person, TestChat } from '../../test-chat.fixture.ts';

type Case = PermissionCases[string];
type People = (chat: TestChat, caller: Person) => readonly Person[];

const cordelia: People = ({ people }) => [people.cordelia];
const callerAlone: People = (_chat, caller) => [caller];
const ids = (people: readonly Person[]) => JSON.stringify(people.map(({ user }) => user.id));

/** Adds users to a group, or removes them from one that they are in. */
const changing =
  (op: 'add' | 'delete', whom: People): Case =>
  async (chat, caller) => {
    const people = whom(chat, caller);
    const group_id = await newGroup(chat, op === 'delete' ? people : []);
    return { group_id, sample: { user_group_id: String(group_id), [op]: ids(people) } };
  };

const managing =
  (params: Record<string, string> = {}): Case =>
  async (chat) => {
    const group_id = await newGroup(chat);
    return { group_id, sample: { user_group_id: String(group_id), ...params } };
  };

let created = 0;

export const permissions: PermissionCases = {
  'POST /user_groups/create: create user groups': async () => ({
    sample: { name: `Created ${++created}`, description: '', members: '[]' },
  }),
  'PATCH /user_groups/{user_group_id}: manage the group': managing({ description: 'new' }),
  'POST /user_groups/{user_group_id}/deactivate: manage the group': managing(),
  'POST /user_groups/{user_group_id}/members: add members': changing('add', cordelia),
  'POST /user_groups/{user_group_id}/members: remove members': changing('delete', cordelia),
  'POST /user_groups/{user_group_id}/members: join the group': changing('add', callerAlone),
  'POST /user_groups/{user_group_id}/members: leave the group': changing('delete', callerAlone),
  'POST /user_groups/{user_group_id}/subgroups: add members': async (chat) => {
    const group_id = await newGroup(chat);
    const add = JSON.stringify([await newGroup(chat)]);
    return { group_id, sample: { user_group_id: String(group_id), add } };
  },
  'POST /user_groups/{user_group_id}/subgroups: remove members': async (chat) => {
    const group_id = await newGroup(chat);
    const subgroup = await newGroup(chat);
    const { userGroups } = chat.people.desdemona.client;
    await userGroups.updateSubgroups({ user_group_id: group_id, add: [subgroup] });
    const remove = JSON.stringify([subgroup]);
    return { group_id, sample: { user_group_id: String(group_id), delete: remove } };
  },
};
