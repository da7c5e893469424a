import type { Api, AskOf, UserGroupId } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { systemGroupIds } from '../../model/user-groups/queries.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';
import { createGroup, ids, only, refused } from './user-groups.fixture.ts';

let chat: TestChat;
let system: Awaited<ReturnType<typeof systemGroupIds>>;
beforeAll(async () => {
  chat = await startTestChat();
  system = await systemGroupIds(chat.server.app.db.kysely, chat.realm.id);
});
afterAll(() => chat[Symbol.asyncDispose]());

const create = (fields?: Partial<AskOf<Api['userGroups']['create']>>) => createGroup(chat, fields);

describe('the members and subgroups of a user group', () => {
  test('are listed directly and with those of subgroups', async () => {
    const { hamlet, cordelia, iago, polonius } = chat.people;
    const { userGroups } = hamlet.client;
    const inner = await create({ members: ids(cordelia) });
    const middle = await create({ members: ids(iago), subgroups: [inner] });
    const user_group_id = await create({ members: ids(hamlet), subgroups: [middle] });
    const members = async (direct_member_only: boolean) =>
      (await userGroups.members({ user_group_id, direct_member_only })).members;
    expect(await members(true)).toEqual(ids(hamlet));
    expect(await members(false)).toEqual(ids(iago, hamlet, cordelia));
    const isMember = async (direct_member_only: boolean, { user }: Person) =>
      (await userGroups.isMember({ user_group_id, direct_member_only, user_id: user.id }))
        .is_user_group_member;
    expect(await isMember(true, cordelia)).toBe(false);
    expect(await isMember(false, cordelia)).toBe(true);
    expect(await isMember(false, polonius)).toBe(false);
    const subgroups = async (direct_subgroup_only: boolean) =>
      (await userGroups.subgroups({ user_group_id, direct_subgroup_only })).subgroups;
    expect(await subgroups(true)).toEqual([middle]);
    expect(await subgroups(false)).toEqual([inner, middle]);
    const everyone = { user_group_id: system['role:members'] };
    expect((await userGroups.members(everyone)).members).toContain(iago.user.id);
    expect(
      (await userGroups.members({ ...everyone, direct_member_only: true })).members,
    ).not.toContain(iago.user.id);
  });

  test('change in one request, with an event for each kind of change', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    const { userGroups } = hamlet.client;
    const [first, second] = [await create(), await create()];
    const user_group_id = await create({
      members: ids(cordelia),
      subgroups: [first],
      can_remove_members_group: only(hamlet),
    });
    const queue = await listen(iago);
    const told = await listen(cordelia);
    await userGroups.updateMembers({
      user_group_id,
      add: ids(iago),
      delete: ids(cordelia),
      add_subgroups: [second],
      delete_subgroups: [first],
    });
    expect(await queue.events('user_group')).toMatchObject([
      { op: 'add_members', user_ids: ids(iago) },
      { op: 'remove_members', user_ids: ids(cordelia) },
      { op: 'add_subgroups', direct_subgroup_ids: [second] },
      { op: 'remove_subgroups', direct_subgroup_ids: [first] },
    ]);
    const [notice] = await told.messages();
    expect(notice).toMatchObject({
      message: { content: expect.stringContaining('removed you from the group') },
    });
  });

  test('lose a deactivated member without another event', async () => {
    const { hamlet, iago } = chat.people;
    const leaver = await chat.addPerson('osric');
    const user_group_id = await create({ members: ids(hamlet, leaver) });
    const listening = await listen(hamlet);
    await iago.client.users.deactivate({ user_id: leaver.user.id });
    await hamlet.client.userGroups.updateMembers({ user_group_id, delete: ids(leaver) });
    const removals = (await listening.events('user_group')).filter(
      ({ op, group_id }) => op === 'remove_members' && group_id === user_group_id,
    );
    expect(removals).toMatchObject([{ user_ids: ids(leaver) }]);
  });

  test('reject an empty change, a present member or subgroup, an absent one, and a cycle', async () => {
    const { hamlet, cordelia, iago } = chat.people;
    const { userGroups } = hamlet.client;
    const inner = await create();
    const middle = await create({ subgroups: [inner] });
    const user_group_id = await create({ members: ids(cordelia), subgroups: [middle] });
    const change = (fields: object, id = user_group_id) =>
      userGroups.updateMembers({ user_group_id: id, ...fields });
    await expect(change({})).rejects.toEqual(refused(/^Nothing to do/));
    await expect(change({ add: ids(cordelia) })).rejects.toEqual(refused(/already a member/));
    await expect(change({ delete: ids(iago) })).rejects.toEqual(refused(/There is no member/));
    await expect(change({ add_subgroups: [middle] })).rejects.toEqual(
      refused(/is already a subgroup of this group/),
    );
    await expect(change({ delete_subgroups: [inner] })).rejects.toEqual(
      refused(/is not a subgroup of this group/),
    );
    const subgroups = (add: UserGroupId[], id: UserGroupId) =>
      userGroups.updateSubgroups({ user_group_id: id, add });
    await expect(subgroups([], inner)).rejects.toEqual(refused(/^Nothing to do/));
    await expect(subgroups([inner], inner)).rejects.toEqual(refused(/one of the passed subgroups/));
    await expect(subgroups([user_group_id], inner)).rejects.toEqual(
      refused(/one of the passed subgroups/),
    );
    await expect(subgroups([999_999 as UserGroupId], inner)).rejects.toEqual(
      refused('Invalid user group ID: 999999'),
    );
    await expect(change({ add: ids(iago) }, 999_999 as UserGroupId)).rejects.toEqual(
      refused('Invalid user group'),
    );
  });

  test('two subgroups added crosswise at the same time make no cycle', async () => {
    const { userGroups } = chat.people.hamlet.client;
    for (let round = 0; round < 5; round++) {
      const [first, second] = [await create(), await create()];
      const results = await Promise.allSettled([
        userGroups.updateSubgroups({ user_group_id: first, add: [second] }),
        userGroups.updateSubgroups({ user_group_id: second, add: [first] }),
      ]);
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    }
  });
});
