import { badRequest, type RealmGroupSetting, type UserGroupId } from '@bellhop/protocol';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';

import { supportedPermissionSettings } from '../../model/realms/permission-settings.ts';
import { isInGroup } from '../../model/user-groups/access.ts';
import * as queries from '../../model/user-groups/queries.ts';
import { changedSettingGroup, settingGroup } from '../../model/user-groups/setting-value.ts';
import { startTestChat } from '../../test-chat.fixture.ts';

test('groupsOf, membersOf and smallestGroups agree with isInGroup', async () => {
  await using chat = await startTestChat();
  const { db } = chat.server.app;
  const { hamlet, shiva } = chat.people;
  const realm_id = chat.realm.id;
  const system = await queries.systemGroupIds(db.kysely, realm_id);
  await db.transaction(async (tx) => {
    const inner = await queries.insertAnonymous(tx, realm_id, {
      direct_members: [hamlet.user.id],
      direct_subgroups: [system['role:moderators']],
    });
    const outer = { direct_members: [], direct_subgroups: [inner] };
    const middle = await queries.insertAnonymous(tx, realm_id, outer);
    await queries.addSubgroup(tx, realm_id, inner, middle);
    await tx.updateTable('realm').set({ waiting_period_days: 3 }).execute();
  });
  await db.kysely
    .updateTable('realm_user')
    .set({ date_joined: new Date(0) })
    .where('id', '=', shiva.user.id)
    .execute();
  const groups = await db.kysely.selectFrom('user_group').select('id').execute();
  for (const { user } of Object.values(chat.people)) {
    const having = [];
    for (const { id } of groups) if (await isInGroup(db.kysely, user, id)) having.push(id);
    const belongs = await queries.groupsOf(db.kysely, user);
    expect(
      [...belongs].toSorted((a, b) => a - b),
      user.full_name,
    ).toEqual(having);
    for (const { id } of groups) {
      const members = await queries.membersOf(db.kysely, realm_id, [id]);
      expect(members.includes(user.id), `${user.full_name} in ${id}`).toBe(having.includes(id));
      const smallest = await queries.smallestGroups(db.kysely, realm_id, [id]);
      expect(smallest.get(user.id)).toBe(having.includes(id) ? id : undefined);
    }
  }
  const ids = [system['role:everyone'], system['role:owners']];
  const smallest = await queries.smallestGroups(db.kysely, realm_id, ids);
  const { desdemona } = chat.people;
  expect(smallest.get(hamlet.user.id)).toBe(system['role:everyone']);
  expect(smallest.get(desdemona.user.id)).toBe(system['role:owners']);
});

test('a message that mentions 300 groups is sent at once in a realm of 2,000 people', async () => {
  await using chat = await startTestChat();
  const { hamlet, iago } = chat.people;
  await iago.client.userGroups.create({ name: 'g', description: '', members: [hamlet.user.id] });
  const { kysely } = chat.server.app.db;
  await sql`insert into user_group (realm_id, name, can_mention_group)
    select realm_id, 'g' || i, can_mention_group from user_group, generate_series(1, 300) i
    where name = 'g'`.execute(kysely);
  await sql`insert into realm_user (realm_id, delivery_email, full_name, role, api_key_mac, api_key_sealed)
    select realm_id, 'copy' || i || '@chat.test', full_name, role, decode(md5('copy' || i), 'hex'), api_key_sealed
    from realm_user, generate_series(1, 2000) i where id = ${hamlet.user.id}`.execute(kysely);
  const names = Array.from({ length: 300 }, (_, at) => `@*g${at + 1}*`);
  const sent = await hamlet.client.messages.send({
    type: 'direct',
    to: [iago.user.id],
    content: names.join(' '),
  });
  expect(sent.id).toBeGreaterThan(0);
});

test('a named group as value of a system-only setting is SYSTEM_GROUP_REQUIRED', async () => {
  await using chat = await startTestChat();
  const { db } = chat.server.app;
  const { realm, people } = chat;
  const system = await queries.systemGroupIds(db.kysely, realm.id);
  const named = await db.kysely
    .insertInto('user_group')
    .values({ realm_id: realm.id, name: 'editors' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const set = (name: RealmGroupSetting, value: Parameters<typeof settingGroup>[1]['value']) =>
    db.transaction(async (tx): Promise<UserGroupId> => {
      const rule = supportedPermissionSettings.realm[name];
      if (!rule) throw badRequest(name);
      return settingGroup(tx, { realm, name, value, rule });
    });
  const web = 'can_create_web_public_channel_group';
  const required = { code: 'SYSTEM_GROUP_REQUIRED', data: { setting_name: web } };
  await expect(set(web, named.id)).rejects.toMatchObject(required);
  await expect(
    set(web, { direct_members: [people.hamlet.user.id], direct_subgroups: [] }),
  ).rejects.toMatchObject(required);
  await expect(set(web, system['role:members'])).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: `'${web}' cannot be set to the group 'role:members'.`,
  });
  expect(await set(web, system['role:moderators'])).toBe(system['role:moderators']);
  expect(await set('can_create_groups', named.id)).toBe(named.id);
  await expect(set('can_manage_all_groups', system['role:nobody'])).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
});

describe('a change of a permission setting', () => {
  type Value = Parameters<typeof settingGroup>[1]['value'];
  const name = 'can_create_groups';
  const rule = supportedPermissionSettings.realm[name];

  test('is refused unless `old` is the current value in any spelling', async () => {
    await using chat = await startTestChat();
    const { db } = chat.server.app;
    const { hamlet, iago } = chat.people;
    const system = await queries.systemGroupIds(db.kysely, chat.realm.id);
    const moderators = system['role:moderators'];
    const users = [iago.user.id, hamlet.user.id];
    const change = (update: { new: Value; old?: Value | null }, current: UserGroupId) =>
      db.transaction(async (tx) => {
        if (!rule) throw badRequest(name);
        return changedSettingGroup(tx, { realm: chat.realm, name, rule, update }, current);
      });
    const list = { direct_members: users.toReversed(), direct_subgroups: [moderators] };
    await expect(
      change({ new: list, old: system['role:members'] }, moderators),
    ).rejects.toMatchObject({ code: 'EXPECTATION_MISMATCH', data: { field_name: 'old' } });
    const only = { direct_members: [], direct_subgroups: [moderators, moderators] };
    const changed = await change({ new: list, old: only }, moderators);
    expect(changed?.value).toEqual({ direct_members: users, direct_subgroups: [moderators] });
    if (!changed) throw new Error('the value did not change');
    expect(await change({ new: list, old: list }, changed.id)).toBeUndefined();
    expect(await change({ new: list, old: null }, changed.id)).toBeUndefined();
    const empty = { direct_members: [], direct_subgroups: [] };
    const nobody = system['role:nobody'];
    expect(await change({ new: empty, old: list }, changed.id)).toEqual({
      id: nobody,
      value: nobody,
    });
  });
});
