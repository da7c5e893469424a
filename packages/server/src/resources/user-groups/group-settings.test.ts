import { UserGroupId } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';
import { createGroup, ids, only, refused } from './user-groups.fixture.ts';

let chat: TestChat;
beforeAll(async () => (chat = await startTestChat()));
afterAll(() => chat[Symbol.asyncDispose]());

const settings = [
  'can_add_members_group',
  'can_join_group',
  'can_leave_group',
  'can_manage_group',
  'can_mention_group',
  'can_remove_members_group',
] as const;

describe('PATCH /user_groups/{user_group_id}', () => {
  test.each(settings)('changes %s', async (name) => {
    const { desdemona, cordelia } = chat.people;
    const { userGroups } = desdemona.client;
    const user_group_id = await createGroup(chat, {});
    await userGroups.update({ user_group_id, [name]: { new: only(cordelia) } });
    const { user_groups } = await userGroups.list({});
    expect(user_groups.find(({ id }) => id === user_group_id)).toMatchObject({
      [name]: only(cordelia),
    });
  });

  test('changes a list to nobody, of which only a deactivated user is left', async () => {
    const { client } = chat.people.desdemona;
    const gone = await chat.addPerson('gone');
    const user_group_id = await createGroup(chat, {});
    const set = (value: UserGroupId | ReturnType<typeof only>) =>
      client.userGroups.update({ user_group_id, can_join_group: { new: value } });
    const current = async () =>
      (await client.userGroups.list({})).user_groups.find(({ id }) => id === user_group_id)
        ?.can_join_group;
    await set(only(gone));
    await client.users.deactivate({ user_id: gone.user.id });
    expect(await current()).toEqual({ direct_members: [], direct_subgroups: [] });
    const { user_groups } = await client.userGroups.list({});
    const nobody = user_groups.find(({ name }) => name === 'role:nobody')?.id as UserGroupId;
    await set(nobody);
    await client.users.reactivate({ user_id: gone.user.id });
    expect(await current()).toBe(nobody);
  });

  test('of an unknown group is refused', async () => {
    const user_group_id = UserGroupId.parse(999_999);
    const update = chat.people.desdemona.client.userGroups.update({ user_group_id, name: 'x' });
    await expect(update).rejects.toEqual(refused('Invalid user group'));
  });
});

test('the subgroups of a deactivated group can be changed', async () => {
  const { userGroups } = chat.people.desdemona.client;
  const [user_group_id, inner] = [await createGroup(chat, {}), await createGroup(chat, {})];
  await userGroups.deactivate({ user_group_id });
  await userGroups.updateSubgroups({ user_group_id, add: [inner] });
  const { user_groups } = await userGroups.list({ include_deactivated_groups: true });
  expect(user_groups.find(({ id }) => id === user_group_id)).toMatchObject({
    deactivated: true,
    direct_subgroup_ids: [inner],
  });
});

test('a deactivated user leaves a deactivated group only for clients that know the group', async () => {
  const { desdemona, hamlet, polonius } = chat.people;
  const members = [await chat.addPerson('leaving')];
  const [leaving] = members;
  const group_id = await createGroup(chat, { members: ids(...members) }, leaving);
  await desdemona.client.userGroups.deactivate({ user_group_id: group_id });
  const event_types = ['user_group'];
  const client_capabilities = { include_deactivated_groups: true };
  const older = await Promise.all([hamlet, polonius].map((one) => listen(one, { event_types })));
  const modern = await listen(hamlet, { event_types, client_capabilities });
  for (const user_id of ids(...members)) await desdemona.client.users.deactivate({ user_id });
  const about = async ({ all }: (typeof older)[number]) =>
    (await all()).filter((event) => event['group_id'] === group_id).map(({ op }) => op);
  expect(await about(modern)).toEqual(['remove_members', 'update']);
  expect(await Promise.all(older.map(about))).toEqual([[], []]);
});
