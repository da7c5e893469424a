import type { AskOf, Api, UserGroupId } from '@bellhop/protocol';
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

type Fields = Partial<AskOf<Api['userGroups']['create']>>;
const create = (fields?: Fields, person?: Person) => createGroup(chat, fields, person);
const groupOf = async (id: UserGroupId, { client } = chat.people.hamlet) =>
  (await client.userGroups.list({ include_deactivated_groups: true })).user_groups.find(
    (group) => group.id === id,
  );
describe('creating a user group', () => {
  test('stores members, subgroups and settings, with the creator as default manager', async () => {
    const { hamlet, cordelia, polonius } = chat.people;
    const inner = await create();
    const id = await create({
      name: '  editors ',
      description: 'edit',
      members: ids(polonius, cordelia, cordelia),
      subgroups: [inner],
      can_mention_group: only(hamlet, cordelia),
      can_join_group: { direct_members: [], direct_subgroups: [inner] },
    });
    expect(await groupOf(id)).toMatchObject({
      name: 'editors',
      description: 'edit',
      members: ids(cordelia, polonius),
      direct_subgroup_ids: [inner],
      creator_id: hamlet.user.id,
      is_system_group: false,
      deactivated: false,
      can_add_members_group: only(hamlet),
      can_join_group: inner,
      can_leave_group: system['role:everyone'],
      can_manage_group: only(hamlet),
      can_mention_group: only(hamlet, cordelia),
      can_remove_members_group: system['role:nobody'],
    });
  });

  test.each([
    ['', /can't be empty/],
    ['   ', /can't be empty/],
    ['x'.repeat(101), /cannot exceed 100 characters/],
    ['@x', /cannot start with '@'/],
    ['role:x', /cannot start with 'role:'/],
    ['user:x', /cannot start with 'user:'/],
    ['stream:x', /cannot start with 'stream:'/],
    ['channel:x', /cannot start with 'channel:'/],
    ['TAKEN', "User group 'TAKEN' already exists."],
  ])('is refused with the name %j', async (name, message) => {
    await create({ name: 'taken' }).catch(() => undefined);
    await expect(create({ name })).rejects.toEqual(refused(message));
  });

  test('is refused with unknown, deactivated and system users and unusable subgroups', async () => {
    const yorick = await chat.addPerson('yorick');
    await chat.server.app.db.kysely
      .updateTable('realm_user')
      .set({ is_active: false })
      .where('id', '=', yorick.user.id)
      .execute();
    const gone = await create();
    await chat.people.hamlet.client.userGroups.deactivate({ user_group_id: gone });
    const cases = [
      [{ members: [999_999] }, 'Invalid user ID 999999'],
      [{ members: ids(yorick) }, /is deactivated/],
      [{ subgroups: [999_999] }, 'Invalid user group ID: 999999'],
      [{ subgroups: [gone] }, `Invalid user group ID: ${gone}`],
      [{ can_manage_group: gone }, 'Invalid user group'],
      [{ can_manage_group: system['role:everyone'] }, /cannot be set to/],
      [{ can_manage_group: system['role:internet'] }, /cannot be set to/],
      [{ can_mention_group: system['role:internet'] }, /cannot be set to/],
      [{ can_mention_group: system['role:owners'] }, /cannot be set to/],
      [{ can_add_members_group: system['role:everyone'] }, /cannot be set to/],
      [{ can_join_group: system['role:everyone'] }, /cannot be set to/],
      [{ can_leave_group: system['role:internet'] }, /cannot be set to/],
      [{ can_remove_members_group: system['role:everyone'] }, /cannot be set to/],
    ] as const;
    for (const [fields, message] of cases)
      await expect(create(fields as unknown as Fields), JSON.stringify(fields)).rejects.toEqual(
        refused(message),
      );
  });

  test('is refused to guests, and to users outside can_create_groups', async () => {
    await expect(create({}, chat.people.polonius)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const settings = { ...chat.realm.group_settings, can_create_groups: system['role:moderators'] };
    const store = (value: object) =>
      chat.server.app.db.kysely
        .updateTable('realm')
        .set({ group_settings: JSON.stringify(value) })
        .execute()
        .then(() => chat.server.app.realms.forget());
    await store(settings);
    await expect(create()).rejects.toEqual(refused('Insufficient permission'));
    await create({}, chat.people.shiva);
    await store(chat.realm.group_settings);
  });

  test('tells the other people in the group by direct message', async () => {
    const { hamlet, cordelia } = chat.people;
    const queue = await listen(cordelia, { apply_markdown: true });
    const own = await listen(hamlet);
    await create({ name: 'told', members: ids(hamlet, cordelia) });
    await create({ name: '*odd* [x](http://x.test)', members: ids(cordelia) });
    const contents = (await queue.messages()).map(({ message }) => message as { content: string });
    expect(contents[0]?.content).toMatch(
      /^<p><span class="user-mention silent".*>Hamlet<\/span> added you to the group <span class="user-group-mention silent".*>told<\/span>\.<\/p>$/,
    );
    expect(contents[1]?.content).toContain('<code>*odd* [x](http://x.test)</code>');
    expect(await own.messages()).toEqual([]);
  });
});

describe('updating a user group', () => {
  test('changes only properties that differ, with one event for each', async () => {
    const { hamlet, cordelia } = chat.people;
    const user_group_id = await create({ name: 'before', description: 'x' });
    const queue = await listen(cordelia);
    await hamlet.client.userGroups.update({
      user_group_id,
      name: 'After',
      description: 'x',
      can_join_group: { new: only(cordelia), old: system['role:nobody'] },
      can_leave_group: { new: system['role:everyone'] },
    });
    expect(await queue.events('user_group')).toMatchObject([
      { op: 'update', group_id: user_group_id, data: { name: 'After' } },
      { op: 'update', group_id: user_group_id, data: { can_join_group: only(cordelia) } },
    ]);
    const anonymous = async () =>
      (
        await chat.server.app.db.kysely
          .selectFrom('user_group')
          .select('id')
          .where('name', 'is', null)
          .execute()
      ).length;
    const before = await anonymous();
    await hamlet.client.userGroups.update({
      user_group_id,
      name: 'after',
      can_join_group: { new: system['role:nobody'], old: only(cordelia) },
    });
    expect(await anonymous()).toBe(before - 1);
  });

  test('an update with a stale old value, without a change or with a taken name is refused', async () => {
    const { userGroups } = chat.people.hamlet.client;
    const user_group_id = await create({ name: 'fresh' });
    const can_join_group = { new: system['role:nobody'], old: system['role:members'] };
    await expect(
      userGroups.update({ user_group_id, name: 'other', can_join_group }),
    ).rejects.toMatchObject({ code: 'EXPECTATION_MISMATCH', data: { field_name: 'old' } });
    await expect(userGroups.update({ user_group_id })).rejects.toEqual(
      refused('No new data supplied'),
    );
    await create({ name: 'taken' }).catch(() => undefined);
    await expect(userGroups.update({ user_group_id, name: 'Taken' })).rejects.toEqual(
      refused(/already exists/),
    );
    await userGroups.update({ user_group_id, name: 'FRESH' });
    expect((await groupOf(user_group_id))?.name).toBe('FRESH');
  });

  test('with deactivated=true changes nothing', async () => {
    const user_group_id = await create();
    await chat.people.hamlet.client.userGroups.update({ user_group_id, deactivated: true });
    expect((await groupOf(user_group_id))?.deactivated).toBe(false);
  });

  test('works on a deactivated group, and reactivates it', async () => {
    const { hamlet, cordelia } = chat.people;
    const { userGroups } = hamlet.client;
    const user_group_id = await create({ members: ids(cordelia) });
    const capable = await listen(cordelia, {
      client_capabilities: { include_deactivated_groups: true },
    });
    const plain = await listen(cordelia);
    await userGroups.deactivate({ user_group_id });
    await userGroups.update({ user_group_id, name: 'in the dark' });
    await userGroups.updateMembers({ user_group_id, add: ids(hamlet) });
    await userGroups.update({ user_group_id, deactivated: false, description: 'again' });
    expect(await capable.events('user_group')).toMatchObject([
      { op: 'update', data: { deactivated: true } },
      { op: 'update', data: { name: 'in the dark' } },
      { op: 'add_members', user_ids: ids(hamlet) },
      { op: 'update', data: { deactivated: false } },
      { op: 'update', data: { description: 'again' } },
    ]);
    expect(await plain.events('user_group')).toMatchObject([
      { op: 'remove', group_id: user_group_id },
      { op: 'add', group: { name: 'in the dark', members: ids(hamlet, cordelia) } },
      { op: 'update', data: { description: 'again' } },
    ]);
  });
});

describe('deactivating a user group', () => {
  test('is refused with all uses of the group', async () => {
    const { hamlet, iago, desdemona } = chat.people;
    const { userGroups } = hamlet.client;
    const user_group_id = await create();
    const outer = await create({ subgroups: [user_group_id] });
    const other = await create({
      can_join_group: user_group_id,
      can_mention_group: { direct_members: ids(iago), direct_subgroups: [user_group_id] },
    });
    await userGroups.update({ user_group_id, can_mention_group: { new: user_group_id } });
    await hamlet.client.subscriptions.add({
      subscriptions: [{ name: 'used' }],
      can_send_message_group: user_group_id,
    });
    await desdemona.client.subscriptions.add({
      subscriptions: [{ name: 'hidden use' }],
      invite_only: true,
      can_send_message_group: user_group_id,
    });
    const { stream_id } = await hamlet.client.channels.id({ stream: 'used' });
    const settings = { ...chat.realm.group_settings, can_create_bots_group: user_group_id };
    const store = (value: object) =>
      chat.server.app.db.kysely
        .updateTable('realm')
        .set({ group_settings: JSON.stringify(value) })
        .execute();
    await store(settings);
    await expect(userGroups.deactivate({ user_group_id })).rejects.toMatchObject({
      code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
      data: {
        objections: [
          { type: 'subgroup', supergroup_ids: [outer] },
          { type: 'channel', channel_id: stream_id, settings: ['can_send_message_group'] },
          { type: 'channel', channel_id: null, settings: ['can_send_message_group'] },
          {
            type: 'user_group',
            group_id: other,
            settings: ['can_join_group', 'can_mention_group'],
          },
          { type: 'realm', settings: ['can_create_bots_group'] },
        ],
      },
    });
    await store(chat.realm.group_settings);
    expect((await groupOf(user_group_id))?.deactivated).toBe(false);
  });

  test('ignores the use of the group in its own settings, and is refused the second time', async () => {
    const { userGroups } = chat.people.hamlet.client;
    const user_group_id = await create();
    await userGroups.update({ user_group_id, can_mention_group: { new: user_group_id } });
    await userGroups.deactivate({ user_group_id });
    await expect(userGroups.deactivate({ user_group_id })).rejects.toEqual(
      refused('User group is deactivated.'),
    );
    const { user_groups } = await userGroups.list({});
    expect(user_groups.map(({ id }) => id)).not.toContain(user_group_id);
  });

  test('at the same time as its use in a new channel: one of the two is refused', async () => {
    const { hamlet, cordelia } = chat.people;
    for (let round = 0; round < 5; round++) {
      const group = await create();
      const results = await Promise.allSettled([
        hamlet.client.userGroups.deactivate({ user_group_id: group }),
        cordelia.client.subscriptions.add({
          subscriptions: [{ name: `race ${group}` }],
          can_send_message_group: group,
        }),
      ]);
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    }
  });
});
