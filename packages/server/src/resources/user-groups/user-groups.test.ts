import type { AskOf, Api, GroupSetting, UserGroupId } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';
import { systemGroupIds } from './queries.ts';

let chat: TestChat;
let system: Awaited<ReturnType<typeof systemGroupIds>>;
beforeAll(async () => {
  chat = await startTestChat();
  system = await systemGroupIds(chat.server.app.db.kysely, chat.realm.id);
});
afterAll(() => chat[Symbol.asyncDispose]());

let count = 0;
type Fields = Partial<AskOf<Api['userGroups']['create']>>;
/** Hamlet creates a group, of which he is not a member. */
async function create(fields: Fields = {}, { client } = chat.people.hamlet): Promise<UserGroupId> {
  const name = `group ${++count}`;
  return (await client.userGroups.create({ name, description: '', members: [], ...fields }))
    .group_id;
}
const groupOf = async (id: UserGroupId, { client } = chat.people.hamlet) =>
  (await client.userGroups.list({ include_deactivated_groups: true })).user_groups.find(
    (group) => group.id === id,
  );
const ids = (...people: Person[]) => people.map(({ user }) => user.id);
const refused = (message: string | RegExp) =>
  expect.objectContaining({
    code: 'BAD_REQUEST',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  });
const only = (...people: Person[]): GroupSetting => ({
  direct_members: ids(...people),
  direct_subgroups: [],
});

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

  test('tells the other people in it by direct message', async () => {
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
  test('changes only what differs, with one event for each property', async () => {
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

  test('is refused with a stale old value, with nothing, and with a taken name', async () => {
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

  test('leaves its own use in its settings, and is refused twice', async () => {
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

  test('and a use in a new channel at the same time: one of them is refused', async () => {
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

  test('are refused for nothing, for what is there, for what is not, and for a cycle', async () => {
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

describe('rights over a user group', () => {
  const nobody = () => ({
    can_manage_group: system['role:nobody'],
    can_add_members_group: system['role:nobody'],
    can_remove_members_group: system['role:nobody'],
    can_join_group: system['role:nobody'],
    can_leave_group: system['role:nobody'],
  });
  const may = (call: Promise<unknown>) =>
    call.then(
      () => true,
      (error: Error) => {
        expect(error.message).toBe('Insufficient permission');
        return false;
      },
    );
  const actions = {
    edits: ({ client }: Person, id: UserGroupId) =>
      client.userGroups.update({ user_group_id: id, description: String(++count) }),
    adds: ({ client }: Person, id: UserGroupId) =>
      client.userGroups.updateMembers({ user_group_id: id, add: ids(chat.people.iago) }),
    removes: ({ client }: Person, id: UserGroupId) =>
      client.userGroups.updateMembers({ user_group_id: id, delete: ids(chat.people.shiva) }),
    'adds a subgroup': async ({ client }: Person, id: UserGroupId) =>
      client.userGroups.updateSubgroups({ user_group_id: id, add: [system['role:owners']] }),
    'removes a subgroup': async ({ client }: Person, id: UserGroupId) =>
      client.userGroups.updateSubgroups({ user_group_id: id, delete: [system['role:nobody']] }),
    joins: ({ client, user }: Person, id: UserGroupId) =>
      client.userGroups.updateMembers({ user_group_id: id, add: [user.id] }),
    deactivates: ({ client }: Person, id: UserGroupId) =>
      client.userGroups.deactivate({ user_group_id: id }),
  };
  const everything = Object.keys(actions);

  test.each([
    ['can_manage_group', everything],
    ['can_add_members_group', ['adds', 'adds a subgroup', 'joins']],
    ['can_remove_members_group', ['removes', 'removes a subgroup']],
    ['can_join_group', ['joins']],
    ['can_leave_group', []],
  ])('%s alone permits only: %j', async (setting, permitted) => {
    const { cordelia, hamlet, shiva } = chat.people;
    const through = await create({ subgroups: [await create({ members: ids(cordelia) })] });
    const found = [];
    for (const [name, act] of Object.entries(actions)) {
      const id = await create({
        ...nobody(),
        [setting]: through,
        members: ids(shiva),
        subgroups: [system['role:nobody']],
      });
      expect(await may(act(hamlet, id)), `Hamlet ${name}`).toBe(false);
      if (await may(act(cordelia, id))) found.push(name);
    }
    expect(found).toEqual(permitted);
  });

  test('can_leave_group and can_remove_members_group permit leaving', async () => {
    const { cordelia } = chat.people;
    for (const [setting, leaves] of [
      ['can_leave_group', true],
      ['can_remove_members_group', true],
      ['can_join_group', false],
    ] as const) {
      const id = await create({
        ...nobody(),
        [setting]: { direct_members: ids(cordelia), direct_subgroups: [] },
        members: ids(cordelia),
      });
      const leave = { user_group_id: id, delete: ids(cordelia) };
      expect(await may(cordelia.client.userGroups.updateMembers(leave)), setting).toBe(leaves);
    }
  });

  test('are in can_manage_all_groups for owners, and never over system groups', async () => {
    const { desdemona } = chat.people;
    const id = await create(nobody());
    expect(await may(actions.edits(desdemona, id))).toBe(true);
    for (const act of [actions.edits, actions.adds, actions.deactivates])
      expect(await may(act(desdemona, system['role:members']))).toBe(false);
  });

  test('let guests only join and leave', async () => {
    const { polonius } = chat.people;
    const guest = { direct_members: ids(polonius), direct_subgroups: [] };
    const id = await create({
      can_manage_group: guest,
      can_add_members_group: guest,
      can_join_group: guest,
      can_leave_group: guest,
    });
    await expect(actions.edits(polonius, id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await may(actions.adds(polonius, id))).toBe(false);
    expect(await may(actions.joins(polonius, id))).toBe(true);
    const leave = { user_group_id: id, delete: ids(polonius) };
    expect(await may(polonius.client.userGroups.updateMembers(leave))).toBe(true);
  });
});

describe('mentions of a user group', () => {
  const received = async (content: string, by: Person, { client }: Person) => {
    const queue = await listen({ client }, { apply_markdown: true });
    await by.client.messages.send({
      type: 'direct',
      to: ids(chat.people.cordelia, chat.people.hamlet),
      content,
    });
    const [event] = await queue.messages();
    return event as { flags?: string[]; message?: { content: string } };
  };

  test('notify members of its subgroups; a silent mention notifies nobody', async () => {
    const { hamlet, cordelia } = chat.people;
    const inner = await create({ members: ids(cordelia) });
    await create({ name: 'crew', subgroups: [inner] });
    expect((await received('@*crew*', hamlet, cordelia)).flags).toContain('mentioned');
    expect((await received('@_*crew*', hamlet, cordelia)).flags).not.toContain('mentioned');
  });

  test('are refused outside can_mention_group and silent for a deactivated group', async () => {
    const { hamlet, cordelia } = chat.people;
    const user_group_id = await create({
      name: 'guild',
      members: ids(cordelia),
      can_mention_group: only(hamlet),
    });
    const send = { type: 'direct', to: ids(hamlet), content: '@*guild*' } as const;
    await expect(cordelia.client.messages.send(send)).rejects.toEqual(
      refused("You are not allowed to mention user group 'guild'."),
    );
    await cordelia.client.messages.send({ ...send, content: '@_*guild*' });
    await hamlet.client.userGroups.deactivate({ user_group_id });
    const { flags, message } = await received('@*guild*', cordelia, cordelia);
    expect(flags).not.toContain('mentioned');
    expect(message?.content).toContain('class="user-group-mention silent"');
  });
});
