import { roles } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { avatarImages } from '../bots/bot-avatar.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const GRAVATAR = 'https://secure.gravatar.com/avatar/';

/** Requests an avatar without following the redirect. */
async function pictureOf(person: Person | null, path: string) {
  const headers: Record<string, string> = person
    ? { authorization: `Basic ${btoa(`${person.email}:${person.api_key}`)}` }
    : {};
  const response = await fetch(`${chat.url}${path}`, { headers, redirect: 'manual' });
  return { status: response.status, location: response.headers.get('location') };
}

async function changeRealm(changes: { settings?: object; group_settings?: object }): Promise<void> {
  const values = Object.entries(changes).map(([name, value]) => [name, JSON.stringify(value)]);
  await chat.server.app.db.kysely
    .updateTable('realm')
    .set(Object.fromEntries(values))
    .where('id', '=', chat.realm.id)
    .execute();
  chat.server.app.realms.forget();
}

describe('GET /avatar/{user_id}', () => {
  test('redirects to Gravatar or the uploaded picture, by ID and by address, at both paths', async () => {
    const { hamlet, cordelia } = chat.people;
    const { id } = cordelia.user;
    for (const prefix of ['', '/api/v1'])
      for (const named of [String(id), 'Cordelia@chat.test'])
        expect(await pictureOf(hamlet, `${prefix}/avatar/${named}`)).toEqual({
          status: 302,
          location: expect.stringMatching(
            /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?d=identicon&version=1$/,
          ),
        });
    const medium = await pictureOf(hamlet, `/avatar/${id}/medium`);
    expect(medium.location).toMatch(/&s=500$/);
    expect((await pictureOf(hamlet, `/avatar/${id}?s=50`)).location).toMatch(/&s=50$/);
    await cordelia.client.avatars.set({}, { file: avatarImages.png });
    const uploaded = `http://chat.test/user_avatars/${chat.realm.id}/${id}`;
    expect((await pictureOf(hamlet, `/avatar/${id}`)).location).toBe(`${uploaded}.png?version=2`);
    expect((await pictureOf(hamlet, `/avatar/${id}/medium?s=50`)).location).toBe(
      `${uploaded}-medium.png?version=2`,
    );
    await cordelia.client.avatars.remove();
    expect(await hamlet.client.avatars.get({ user_id: id })).toMatchObject({
      url: expect.stringMatching(/version=3$/) as unknown,
    });
  });

  test('an unknown user has the picture that Gravatar makes from the address', async () => {
    const { hamlet } = chat.people;
    for (const named of ['999999', 'nobody@example.com'])
      expect((await pictureOf(hamlet, `/avatar/${named}`)).location).toMatch(GRAVATAR);
  });

  test('without a login, only realms with spectators show pictures, and only by ID', async () => {
    const { hamlet } = chat.people;
    const path = `/avatar/${hamlet.user.id}`;
    expect((await pictureOf(null, path)).status).toBe(401);
    await changeRealm({ settings: { enable_spectator_access: true } });
    expect((await pictureOf(null, path)).status).toBe(302);
    expect((await pictureOf(null, '/avatar/hamlet@chat.test')).status).toBe(401);
    await changeRealm({ settings: {} });
  });

  test('a guest gets a Gravatar instead of the picture of a user whom they may not see', async () => {
    const { hamlet, polonius } = chat.people;
    await hamlet.client.avatars.set({}, { file: avatarImages.png });
    const { id } = await chat.server.app.db.kysely
      .selectFrom('user_group')
      .select('id')
      .where('name', '=', 'role:members')
      .executeTakeFirstOrThrow();
    await changeRealm({
      group_settings: { ...chat.realm.group_settings, can_access_all_users_group: id },
    });
    const { location } = await pictureOf(polonius, `/avatar/${hamlet.user.id}`);
    expect(location).toMatch(GRAVATAR);
    await changeRealm({ group_settings: chat.realm.group_settings });
  });
});

describe('POST and DELETE /users/me/avatar', () => {
  test('other users learn the new picture, its version and its source', async () => {
    const { iago } = chat.people;
    const person = await chat.addPerson('painter');
    const queue = await listen(iago, { event_types: ['realm_user'], client_gravatar: false });
    const { avatar_url } = await person.client.avatars.set({}, { file: avatarImages.webp });
    const path = `http://chat.test/user_avatars/${chat.realm.id}/${person.user.id}`;
    const url = `${path}.png?version=2`;
    expect(avatar_url).toBe(url);
    const removed = await person.client.avatars.remove();
    await person.client.avatars.remove();
    const { id: user_id } = person.user;
    expect(await queue.all()).toMatchObject([
      {
        person: {
          user_id,
          avatar_url: url,
          avatar_url_medium: `${path}-medium.png?version=2`,
          avatar_source: 'U',
          avatar_version: 2,
        },
      },
      {
        person: { user_id, avatar_url: removed.avatar_url, avatar_source: 'G', avatar_version: 3 },
      },
    ]);
  });

  test('a request without a file, another file and one of more than 5 MiB are refused', async () => {
    const { hamlet } = chat.people;
    expect((await chat.ask(hamlet, 'POST /users/me/avatar')).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'You must upload exactly one avatar.',
    });
    const png = Buffer.from(await avatarImages.png.arrayBuffer());
    for (const [bytes, code] of [
      [Buffer.from('text'), 'BAD_IMAGE'],
      [png.subarray(0, 60), 'BAD_IMAGE'],
      [Buffer.concat([png, Buffer.alloc(5 * 1_048_576)]), 'BAD_REQUEST'],
    ] as const)
      await expect(
        hamlet.client.avatars.set({}, { file: new File([bytes], 'a.png') }),
      ).rejects.toMatchObject({ code });
  });

  test('with avatar_changes_disabled only administrators change their pictures', async () => {
    const { hamlet, shiva } = chat.people;
    const admin = await chat.addPerson('ada', roles.admin);
    await changeRealm({ settings: { avatar_changes_disabled: true } });
    const message = 'Avatar changes are disabled in this organization.';
    const file = avatarImages.png;
    for (const { client } of [hamlet, shiva]) {
      await expect(client.avatars.set({}, { file })).rejects.toMatchObject({ message });
      await expect(client.avatars.remove()).rejects.toMatchObject({ message });
    }
    await admin.client.avatars.set({}, { file });
    await changeRealm({ settings: {} });
  });

  test('two pictures uploaded at the same time get two versions', async () => {
    const person = await chat.addPerson('double');
    const set = (file: File) => person.client.avatars.set({}, { file });
    const answers = await Promise.all([set(avatarImages.png), set(avatarImages.gif)]);
    const versions = answers.map(({ avatar_url }) => avatar_url.replace(/.*version=/, ''));
    expect(versions.sort()).toEqual(['2', '3']);
  });

  test('the owner of a bot learns the picture that the bot uploads', async () => {
    const { hamlet } = chat.people;
    const bot = await hamlet.client.bots.create({ full_name: 'Paint', short_name: 'paint' });
    const queue = await listen(hamlet, { event_types: ['realm_bot'] });
    const form = new FormData();
    form.set('file', avatarImages.gif);
    await fetch(`${chat.url}/api/v1/users/me/avatar`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`paint-bot@chat.test:${bot.api_key}`)}` },
      body: form,
    });
    expect(await queue.all()).toMatchObject([
      {
        op: 'update',
        bot: { user_id: bot.user_id, avatar_url: expect.stringMatching('version=2') },
      },
    ]);
  });
});
