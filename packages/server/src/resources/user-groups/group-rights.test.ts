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
      client.userGroups.update({ user_group_id: id, description: 'edited' }),
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

  test('let guests only leave', async () => {
    const { desdemona, polonius } = chat.people;
    const guest = { direct_members: ids(polonius), direct_subgroups: [] };
    const id = await create({
      can_manage_group: guest,
      can_add_members_group: guest,
      can_join_group: guest,
      can_leave_group: guest,
    });
    await expect(actions.edits(polonius, id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await may(actions.adds(polonius, id))).toBe(false);
    expect(await may(actions.joins(polonius, id))).toBe(false);
    const add = ids(polonius);
    await desdemona.client.userGroups.updateMembers({ user_group_id: id, add });
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
