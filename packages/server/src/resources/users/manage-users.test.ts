import { roles, type UserId } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const ownerOnly = { code: 'UNAUTHORIZED_PRINCIPAL', message: 'Must be an organization owner' };
const adminOnly = {
  code: 'UNAUTHORIZED_PRINCIPAL',
  message: 'Must be an organization administrator',
};
const badRequest = (message: string | RegExp) => ({
  code: 'BAD_REQUEST',
  message: expect.stringMatching(message) as unknown,
});
const roleOf = async ({ user }: Person) =>
  (await chat.people.iago.client.users.get({ user_id: user.id })).user.role;

describe('PATCH /users/{user_id}', () => {
  test('an administrator changes name and role; other users learn each change', async () => {
    const { iago, cordelia } = chat.people;
    const person = await chat.addPerson('anna');
    const queue = await listen(cordelia, { event_types: ['realm_user', 'user_group'] });
    const user_id = person.user.id;
    await iago.client.users.update({ user_id, full_name: ' Anna Karenina ', role: 300 });
    expect(await queue.all()).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id, full_name: 'Anna Karenina' } },
      { type: 'realm_user', op: 'update', person: { user_id, role: 300 } },
      { type: 'user_group', op: 'remove_members', user_ids: [user_id] },
      { type: 'user_group', op: 'remove_members', user_ids: [user_id] },
      { type: 'user_group', op: 'add_members', user_ids: [user_id] },
    ]);
    expect(await roleOf(person)).toBe(300);
  });

  test('members, moderators and guests may not change users', async () => {
    const { shiva, hamlet, polonius, cordelia } = chat.people;
    for (const { client } of [shiva, hamlet, polonius])
      await expect(
        client.users.update({ user_id: cordelia.user.id, full_name: 'x' }),
      ).rejects.toMatchObject(adminOnly);
  });

  test('only an owner makes an owner or takes the role from one', async () => {
    const { desdemona, iago } = chat.people;
    const person = await chat.addPerson('boris');
    const user_id = person.user.id;
    const update = (by: Person, role: 100 | 400) => by.client.users.update({ user_id, role });
    await expect(update(iago, 100)).rejects.toMatchObject(ownerOnly);
    await update(desdemona, 100);
    await expect(update(iago, 400)).rejects.toMatchObject(ownerOnly);
    await update(desdemona, 400);
    expect(await roleOf(person)).toBe(400);
  });

  test('the only owner keeps the role', async () => {
    const { desdemona } = chat.people;
    await expect(
      desdemona.client.users.update({ user_id: desdemona.user.id, role: 200 }),
    ).rejects.toMatchObject(
      badRequest('The owner permission cannot be removed from the only organization owner.'),
    );
  });

  test('a guest becomes an administrator only by way of another role', async () => {
    const { desdemona } = chat.people;
    const { user } = await chat.addPerson('clara', roles.guest);
    for (const role of [100, 200] as const)
      await expect(desdemona.client.users.update({ user_id: user.id, role })).rejects.toMatchObject(
        badRequest('Guests cannot be organization administrators'),
      );
    await desdemona.client.users.update({ user_id: user.id, role: 400 });
    await desdemona.client.users.update({ user_id: user.id, role: 200 });
  });

  test('a new role ends the event queues of the user, and counts at once on every node', async () => {
    const person = await chat.addPerson('dora');
    const queue = await listen(person);
    const node = await chat.anotherNode();
    await chat.people.desdemona.client.users.update({ user_id: person.user.id, role: 200 });
    await expect(queue.all()).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    const answer = await fetch(`${node.url}/api/v1/users/${chat.people.hamlet.user.id}`, {
      method: 'PATCH',
      headers: { authorization: `Basic ${btoa(`${person.email}:${person.api_key}`)}` },
      body: new URLSearchParams({ full_name: 'Hamlet' }),
    });
    expect(answer.status).toBe(200);
  });

  test('an owner with can_change_user_emails changes an address; viewers get the new one, and the event queues of the user end', async () => {
    const { desdemona, hamlet } = chat.people;
    const person = await chat.addPerson('emma');
    const { queue_id } = await person.client.queues.register({});
    const user_id = person.user.id;
    const queue = await listen(hamlet, { event_types: ['realm_user'] });
    await desdemona.client.users.update({ user_id, new_email: 'emma.w@chat.test' });
    const person_ = { user_id };
    expect(await queue.all()).toMatchObject([
      { person: { ...person_, new_email: 'emma.w@chat.test' } },
      { person: { ...person_, avatar_source: 'G', avatar_url: null } },
      { person: { ...person_, delivery_email: 'emma.w@chat.test' } },
    ]);
    expect((await chat.ask(person, 'GET /users/me')).status).toBe(401);
    const renamed = { ...person, email: 'emma.w@chat.test' };
    expect((await chat.ask(renamed, 'GET /users/me')).body).toMatchObject({ user_id });
    const poll = { queue_id: queue_id ?? '', last_event_id: '-1', dont_block: 'true' };
    const { body } = await chat.ask(renamed, 'GET /events', poll);
    expect(body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  });

  test('a new address is refused to callers without can_change_user_emails, and if it is not acceptable', async () => {
    const { desdemona, iago, hamlet } = chat.people;
    const { client, user } = await chat.addPerson('frieda', roles.owner);
    const user_id = hamlet.user.id;
    const new_email = 'prince@chat.test';
    await expect(iago.client.users.update({ user_id, new_email })).rejects.toMatchObject(ownerOnly);
    await chat.server.app.db.kysely
      .updateTable('realm_user')
      .set({ can_change_user_emails: false })
      .where('id', '=', user.id)
      .execute();
    await chat.server.app.users.forgotten();
    await expect(client.users.update({ user_id, new_email })).rejects.toMatchObject(
      badRequest('User not authorized to change user emails'),
    );
    for (const [email, text] of [
      ['nobody', /valid email/],
      ['IAGO@chat.test', /already in use/],
    ] as const)
      await expect(
        desdemona.client.users.update({ user_id, new_email: email }),
      ).rejects.toMatchObject(badRequest(text));
    await desdemona.client.users.update({ user_id: user.id, role: 400 });
  });

  test('names that are malformed, or in use where names are unique, are refused', async () => {
    const { iago, hamlet } = chat.people;
    const user_id = hamlet.user.id;
    for (const full_name of ['', 'a*b', 'a|12', 'x'.repeat(101)])
      await expect(iago.client.users.update({ user_id, full_name })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
      });
    const setUnique = async (require_unique_names: boolean) => {
      await chat.server.app.db.kysely
        .updateTable('realm')
        .set({ settings: JSON.stringify({ require_unique_names }) })
        .execute();
      chat.server.app.realms.forget();
    };
    await setUnique(true);
    await expect(iago.client.users.update({ user_id, full_name: 'IAGO' })).rejects.toMatchObject(
      badRequest('Unique names required'),
    );
    await setUnique(false);
  });

  test('a bot gets a name, and no address; a system bot and an unknown ID are refused', async () => {
    const { iago, hamlet } = chat.people;
    const { user_id } = await hamlet.client.bots.create({ full_name: 'Gus', short_name: 'gus' });
    await iago.client.users.update({ user_id, full_name: 'Gustav' });
    expect((await iago.client.users.get({ user_id })).user.full_name).toBe('Gustav');
    await expect(
      iago.client.users.update({ user_id, new_email: 'gus@chat.test' }),
    ).rejects.toMatchObject(badRequest('Bots keep their address.'));
    const { cross_realm_bots } = await iago.client.queues.register({
      fetch_event_types: ['realm_user'],
    });
    for (const id of [cross_realm_bots?.[0]?.user_id, 999_999])
      await expect(
        iago.client.users.update({ user_id: id as UserId, full_name: 'x' }),
      ).rejects.toMatchObject(badRequest('No such user'));
  });
});

describe('DELETE /users/{user_id}', () => {
  test('the API key, queues, polls and bots of the user end on every node', async () => {
    const { iago, hamlet } = chat.people;
    const person = await chat.addPerson('gina');
    const bot = await person.client.bots.create({ full_name: 'Robo', short_name: 'robo' });
    const node = await chat.anotherNode();
    const { queue_id, last_event_id } = await person.client.queues.register();
    const queue = await listen(hamlet, { event_types: ['realm_user'] });
    const poll = fetch(
      `${node.url}/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`,
      { headers: { authorization: `Basic ${btoa(`${person.email}:${person.api_key}`)}` } },
    );
    await iago.client.users.deactivate({ user_id: person.user.id });
    expect((await (await poll).json()) as object).toBeDefined();
    expect((await chat.ask(person, 'GET /users/me')).body).toMatchObject({
      code: 'USER_DEACTIVATED',
    });
    const asBot = { ...person, email: 'robo-bot@chat.test', api_key: bot.api_key };
    expect((await chat.ask(asBot, 'GET /users/me')).body).toMatchObject({
      code: 'USER_DEACTIVATED',
    });
    expect(await queue.all()).toMatchObject([
      { op: 'update', person: { user_id: bot.user_id, is_active: false } },
      { op: 'update', person: { user_id: person.user.id, is_active: false } },
    ]);
    const { realm_non_active_users } = await hamlet.client.queues.register({
      fetch_event_types: ['realm_user'],
    });
    const gone = realm_non_active_users?.map(({ user_id }) => user_id);
    expect(gone).toEqual(expect.arrayContaining([bot.user_id, person.user.id]));
  });

  test('is refused to members, to administrators for an owner, for the only owner, and for a bot', async () => {
    const { desdemona, iago, shiva, hamlet } = chat.people;
    const deactivate = (by: Person, user_id: UserId) => by.client.users.deactivate({ user_id });
    await expect(deactivate(shiva, hamlet.user.id)).rejects.toMatchObject(adminOnly);
    await expect(deactivate(desdemona, desdemona.user.id)).rejects.toMatchObject(
      badRequest('^Cannot deactivate the only organization owner$'),
    );
    const second = await chat.addPerson('hugo', roles.owner);
    await expect(deactivate(iago, second.user.id)).rejects.toMatchObject(ownerOnly);
    await deactivate(desdemona, second.user.id);
    const bot = await hamlet.client.bots.create({ full_name: 'Bo', short_name: 'bo' });
    for (const id of [bot.user_id, 999_999 as UserId])
      await expect(deactivate(iago, id)).rejects.toMatchObject(badRequest('No such user'));
  });
});

describe('DELETE /users/me', () => {
  test('the caller is deactivated, but not the only owner', async () => {
    const { desdemona } = chat.people;
    const { body, status } = await chat.ask(desdemona, 'DELETE /users/me');
    expect([status, body]).toMatchObject([
      400,
      {
        code: 'CANNOT_DEACTIVATE_LAST_USER',
        is_last_owner: true,
        entity: 'organization owner',
        msg: 'Cannot deactivate the only organization owner.',
      },
    ]);
    const person = await chat.addPerson('ida');
    await person.client.users.deactivateSelf();
    expect((await chat.ask(person, 'GET /users/me')).body).toMatchObject({
      code: 'USER_DEACTIVATED',
    });
  });
});

describe('POST /users', () => {
  const account = { email: 'lea@chat.test', full_name: 'Lea', password: 'a long password' };

  test('the new member is welcomed by a mail and by messages with the text of the realm', async () => {
    const { desdemona } = chat.people;
    const welcome_message_custom_text = 'Read the rules first.';
    await desdemona.client.realms.update({ welcome_message_custom_text });
    const email = 'osric@chat.test';
    await desdemona.client.users.create({ ...account, email, full_name: 'Osric' });
    await desdemona.client.realms.update({ welcome_message_custom_text: '' });
    const login = { username: email, password: account.password };
    const { api_key } = await desdemona.client.accounts.fetchApiKey(login);
    const { body } = await chat.ask({ ...desdemona, email, api_key }, 'GET /messages', {
      anchor: 'newest',
      num_before: '5',
      num_after: '0',
      apply_markdown: 'false',
    });
    const contents = (body['messages'] as { content: string }[]).map(({ content }) => content);
    expect(contents).toEqual([
      expect.stringContaining('Hello, and welcome!'),
      welcome_message_custom_text,
    ]);
    await vi.waitFor(
      () =>
        expect(chat.mails.map(({ to, subject }) => [to, subject])).toContainEqual([
          email,
          'Your account at Test',
        ]),
      15_000,
    );
  });

  test('the new member logs in with the password, is in the default channels and finds their recent messages', async () => {
    const { desdemona, hamlet } = chat.people;
    await desdemona.client.subscriptions.add({ subscriptions: [{ name: 'lobby' }] });
    const news = { type: 'channel', to: 'lobby', topic: 'news', content: 'x' } as const;
    const sent: number[] = [];
    for (let n = 0; n < 22; n++) sent.push((await desdemona.client.messages.send(news)).id);
    await chat.server.app.db.kysely
      .updateTable('channel')
      .set({ is_default: true })
      .where('name', '=', 'lobby')
      .execute();
    const queue = await listen(hamlet, { event_types: ['realm_user'] });
    const { user_id } = await desdemona.client.users.create(account);
    expect(await queue.all()).toMatchObject([
      { op: 'add', person: { user_id, full_name: 'Lea', role: 400, profile_data: {} } },
    ]);
    const { email, password } = account;
    const login = await hamlet.client.accounts.fetchApiKey({ username: email, password });
    const { subscriptions, unread_msgs } = (
      await chat.ask({ ...hamlet, email, api_key: login.api_key }, 'POST /register')
    ).body as {
      subscriptions: { name: string }[];
      unread_msgs: { streams: { unread_message_ids: number[] }[] };
    };
    expect(subscriptions.map(({ name }) => name)).toEqual(['lobby']);
    expect(unread_msgs.streams).toMatchObject([{ unread_message_ids: sent.slice(2) }]);
    const feed = await chat.ask({ ...hamlet, email, api_key: login.api_key }, 'GET /messages', {
      anchor: String(sent[0]),
      num_after: '30',
    });
    const { messages } = feed.body as { messages: { id: number; flags: string[] }[] };
    expect(messages.slice(0, 22).map(({ id }) => id)).toEqual(sent);
    expect([messages[1]?.flags, messages[2]?.flags]).toEqual([
      ['read', 'historical'],
      ['historical'],
    ]);
  });

  test('callers without can_create_users and bad accounts are refused', async () => {
    const { desdemona, iago, hamlet } = chat.people;
    await expect(hamlet.client.users.create(account)).rejects.toMatchObject(adminOnly);
    await expect(iago.client.users.create(account)).rejects.toMatchObject(
      badRequest('User not authorized to create users'),
    );
    for (const [wrong, text] of [
      [{ email: 'nobody' }, /valid email/],
      [{ email: 'Hamlet@chat.test' }, /'Hamlet@chat.test' already in use/],
      [{ email: 'm@chat.test', full_name: ' ' }, /Name too short/],
      [{ email: 'm@chat.test', password: '12345' }, /too weak/],
    ] as const)
      await expect(desdemona.client.users.create({ ...account, ...wrong })).rejects.toMatchObject(
        badRequest(text),
      );
  });
});

test('guests who may not see a user get no event about them', async () => {
  await using hiding = await startTestChat();
  const { desdemona, polonius, hamlet } = hiding.people;
  const { kysely } = hiding.server.app.db;
  const members = await kysely
    .selectFrom('user_group')
    .select('id')
    .where('name', '=', 'role:members')
    .executeTakeFirstOrThrow();
  const groups = { ...hiding.realm.group_settings, can_access_all_users_group: members.id };
  await kysely
    .updateTable('realm')
    .set({ group_settings: JSON.stringify(groups) })
    .execute();
  hiding.server.app.realms.forget();
  const queue = await listen(polonius, {
    event_types: ['realm_user'],
    client_capabilities: { user_list_incomplete: true },
  });
  await desdemona.client.users.update({ user_id: hamlet.user.id, full_name: 'Prince' });
  const { user_id } = await desdemona.client.users.create({
    email: 'new@chat.test',
    full_name: 'New',
    password: 'a long password',
  });
  await desdemona.client.users.deactivate({ user_id });
  expect(await queue.all()).toEqual([]);
});
