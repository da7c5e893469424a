import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const noSuchUser = { code: 'BAD_REQUEST', message: 'No such user' };
const got = async (by: Person, user_id: string | number) =>
  (await by.client.users.get({ user_id: user_id as never })).user;

const hide = ({ user }: Person, email_address_visibility: number) =>
  chat.server.app.db.kysely
    .updateTable('realm_user')
    .set({ settings: JSON.stringify({ email_address_visibility }) })
    .where('id', '=', user.id)
    .execute();

describe('GET /users/{id or e-mail}', () => {
  test('finds a user by id, with the record of GET /users', async () => {
    const { hamlet, iago } = chat.people;
    const user = await got(hamlet, iago.user.id);
    expect(user).toMatchObject({ full_name: 'Iago', is_admin: true, is_active: true });
    const { members } = await hamlet.client.users.list({});
    expect(members).toContainEqual(user);
  });

  test('finds a user by e-mail address in any letter case', async () => {
    const { hamlet, iago } = chat.people;
    for (const address of [iago.email, iago.email.toUpperCase(), encodeURIComponent(iago.email)])
      expect((await chat.ask(hamlet, `GET /users/${address}`)).body).toMatchObject({
        user: { user_id: iago.user.id },
      });
  });

  test('finds a hidden address by its API address, and by the real one if the caller may see it', async () => {
    const { hamlet, desdemona } = chat.people;
    const shy = await chat.addPerson('shy');
    await hide(shy, 3);
    const shown = `user${shy.user.id}@chat.test`;
    expect(await got(hamlet, shown)).toMatchObject({ email: shown, delivery_email: null });
    await expect(got(hamlet, shy.email)).rejects.toMatchObject(noSuchUser);
    const seen = { user_id: shy.user.id, email: shown, delivery_email: shy.email };
    for (const by of [desdemona, shy]) expect(await got(by, shy.email)).toMatchObject(seen);
  });

  test('refuses an unknown id and an unknown address', async () => {
    for (const nobody of [999_999, 'nobody@chat.test', 'nobody', 'user999999@chat.test', '0'])
      await expect(got(chat.people.hamlet, nobody)).rejects.toMatchObject(noSuchUser);
  });

  test('finds deactivated users, bots and system bots', async () => {
    const { hamlet, polonius } = chat.people;
    const gone = await chat.addPerson('gone');
    const { kysely } = chat.server.app.db;
    const of = (id: number) => kysely.updateTable('realm_user').where('id', '=', id as never);
    await of(gone.user.id).set({ is_active: false }).execute();
    expect(await got(hamlet, gone.user.id)).toMatchObject({ is_active: false });
    const made = { full_name: 'Echo', short_name: 'echo' };
    const { user_id } = await hamlet.client.bots.create(made);
    const bot = { is_bot: true, bot_type: 1, bot_owner_id: hamlet.user.id };
    expect(await got(polonius, user_id)).toMatchObject(bot);
    const { cross_realm_bots: [system] = [] } = await hamlet.client.queues.register({
      fetch_event_types: ['realm_user'],
    });
    expect(await got(polonius, system?.user_id ?? 0)).toMatchObject({ is_system_bot: true });
  });

  test('returns profile_data and the avatar as the parameters say', async () => {
    const { hamlet, iago } = chat.people;
    const user_id = iago.user.id;
    const plain = await got(hamlet, user_id);
    expect(plain).not.toHaveProperty('profile_data');
    expect(plain.avatar_url).toBeNull();
    const asked = { user_id, client_gravatar: false, include_custom_profile_fields: true };
    const { user } = await hamlet.client.users.get(asked);
    expect(user.profile_data).toEqual({});
    expect(user.avatar_url).toMatch(/^https:/);
    const { user_id: bot } = await hamlet.client.bots.create({
      full_name: 'Bare',
      short_name: 'bare',
    });
    const { user: record } = await hamlet.client.users.get({ ...asked, user_id: bot });
    expect(record).not.toHaveProperty('profile_data');
  });
});

test('a guest who may not see all users finds those of shared channels and conversations', async () => {
  const { desdemona, hamlet, iago, cordelia, polonius } = chat.people;
  const { kysely } = chat.server.app.db;
  const members = await kysely
    .selectFrom('user_group')
    .select('id')
    .where('realm_id', '=', chat.realm.id)
    .where('name', '=', 'role:members')
    .executeTakeFirstOrThrow();
  const narrow = { ...chat.realm.group_settings, can_access_all_users_group: members.id };
  expect(await got(polonius, cordelia.user.id)).toMatchObject({ full_name: 'Cordelia' });
  await kysely
    .updateTable('realm')
    .set({ group_settings: JSON.stringify(narrow) })
    .execute();
  chat.server.app.realms.forget();
  await desdemona.client.subscriptions.add({
    subscriptions: [{ name: 'verona' }],
    principals: [hamlet, polonius].map(({ user }) => user.id),
  });
  await iago.client.messages.send({ type: 'direct', to: [polonius.user.id], content: 'hello' });
  for (const { user } of [hamlet, iago, polonius])
    expect(await got(polonius, user.id)).toMatchObject({ user_id: user.id });
  for (const address of [cordelia.user.id, cordelia.email])
    await expect(got(polonius, address)).rejects.toMatchObject(noSuchUser);
  expect(await got(hamlet, cordelia.user.id)).toMatchObject({ user_id: cordelia.user.id });
});

describe('the own account', () => {
  test('GET /users/me has profile_data, but of a bot', async () => {
    const { hamlet, iago } = chat.people;
    const { id } = await iago.client.customProfileFields.add({ field_type: 1, name: 'Rank' });
    await hamlet.client.customProfileFields.setOwn({ data: [{ id, value: 'prince' }] });
    expect((await hamlet.client.users.me()).profile_data).toMatchObject({
      [String(id)]: { value: 'prince' },
    });
    expect((await iago.client.users.me()).profile_data).toEqual({});
    const { api_key, user_id } = await hamlet.client.bots.create({
      full_name: 'Plain',
      short_name: 'plain',
    });
    const bot = { ...hamlet, email: 'plain-bot@chat.test', api_key };
    const { body } = await chat.ask(bot, 'GET /users/me');
    expect(body).toMatchObject({ user_id });
    expect(body).not.toHaveProperty('profile_data');
  });

  test('POST /register has the addresses of the own avatar, whatever the client can compute', async () => {
    const { hamlet } = chat.people;
    const of = { fetch_event_types: ['realm_user'] };
    const { avatar_url, avatar_url_medium, realm_users } = await hamlet.client.queues.register({
      ...of,
      client_gravatar: true,
    });
    expect([avatar_url, avatar_url_medium]).toEqual([
      expect.stringMatching(/^https:.*avatar/),
      expect.stringMatching(/^https:.*avatar.*500/),
    ]);
    const listed = new Map(realm_users?.map((user) => [user.user_id, user.avatar_url]));
    expect(listed.get(hamlet.user.id)).toBe(avatar_url);
    expect(listed.get(chat.people.iago.user.id)).toBeNull();
  });

  test('a wrong key is answered 401 with the code UNAUTHORIZED', async () => {
    const { hamlet } = chat.people;
    for (const api_key of ['x'.repeat(32), 'no key', ''])
      expect(await chat.ask({ ...hamlet, api_key }, 'GET /users/me')).toMatchObject({
        status: 401,
        body: { code: 'UNAUTHORIZED' },
      });
  });
});
