import { api } from '@bellhop/protocol';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { imageOf } from '../../images/images.fixture.ts';
import { enqueueMails } from '../../mail/send-mail.ts';
import { createSignInKey } from '../../model/console-sessions/sign-in-key.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { deactivateRealm, reactivateRealm } from './deactivate-realm.ts';

let chat: TestChat;
beforeAll(async () => (chat = await startTestChat({ keepUsersMs: 20 })));
afterAll(() => chat[Symbol.asyncDispose]());

/** Resolves when requests and jobs find the realm in its new state: each look-up has a cache entry of its own. */
const set = async (isActive: boolean) => {
  const { app } = chat.server;
  const change = isActive ? reactivateRealm : deactivateRealm;
  const hasChanged = await app.db.transaction((tx) => change(tx, chat.realm.id));
  const found = () =>
    Promise.all([
      app.realms.byId(chat.realm.id),
      app.realms.atHost(new URL(chat.url).host, (find) => find()),
    ]);
  await expect
    .poll(async () => (await found()).map((realm) => realm.is_active))
    .toEqual([isActive, isActive]);
  return hasChanged;
};
const codeOf = async (person: Person | null, route: string, fields = {}) =>
  (await chat.ask(person, route, fields)).body['code'];

describe('a deactivated realm', () => {
  test('answers every call with REALM_DEACTIVATED until it is reactivated', async () => {
    const { hamlet } = chat.people;
    const routes = Object.values(api).flatMap((operations) =>
      Object.values(operations as Record<string, { readonly route: string }>).map(
        ({ route }) => route,
      ),
    );
    expect(await set(false)).toBe(true);
    expect(await set(false)).toBe(false);
    for (const route of routes) {
      const filled = route.replaceAll(/\{\w+\}/g, '1');
      const expected = route === 'GET /server_settings' ? undefined : 'REALM_DEACTIVATED';
      expect([route, await codeOf(hamlet, filled)]).toEqual([route, expected]);
      expect([route, await codeOf(null, filled)]).toEqual([route, expected]);
    }
    for (const path of ['/user_avatars/1/1.png', '/user_uploads/1/x/a.png', '/join/x'])
      expect([path, (await fetch(`${chat.url}${path}`)).status]).toEqual([path, 401]);
    expect(await set(true)).toBe(true);
    expect(await codeOf(hamlet, 'GET /users/me')).toBeUndefined();
  });

  test('serves no image of a custom emoji, and still its icon, which GET /server_settings names', async () => {
    const { iago } = chat.people;
    const image = new File([new Uint8Array(await imageOf('png', 64, 64))], 'a.png');
    await iago.client.realmEmoji.upload({ emoji_name: 'bell' }, { file: image });
    await iago.client.realmImages.setIcon({}, { file: image });
    const { emoji } = await iago.client.realmEmoji.list();
    const { realm_icon } = await iago.client.serverSettings.get();
    const paths = [Object.values(emoji)[0]?.source_url, realm_icon].map((address = '') =>
      address.replace(/^https?:\/\/[^/]+/, ''),
    );
    const statuses = () =>
      Promise.all(paths.map(async (path) => (await fetch(`${chat.url}${path}`)).status));
    expect(await statuses()).toEqual([200, 200]);
    await set(false);
    expect(await statuses()).toEqual([401, 200]);
    await set(true);
  });

  test('ends waiting polls and event queues', async () => {
    const { hamlet } = chat.people;
    const { queue_id, last_event_id } = await hamlet.client.queues.register({});
    const poll = { queue_id: queue_id ?? '', last_event_id: String(last_event_id) };
    const waiting = chat.ask(hamlet, 'GET /events', poll);
    await vi.waitFor(() => expect(chat.server.app.queues.waiting).toBe(1), 15_000);
    await set(false);
    expect((await waiting).body).toMatchObject({ events: [] });
    await set(true);
    expect(await codeOf(hamlet, 'GET /events', { ...poll, dont_block: 'true' })).toBe(
      'BAD_EVENT_QUEUE_ID',
    );
  });

  test('sends no mail that was queued before', async () => {
    const { iago } = chat.people;
    const realm = await chat.server.app.realms.byId(chat.realm.id);
    const to = 'nobody@example.com';
    const mail = { to, from_name: 'Test', subject: 'x', text: 'x', html: 'x' };
    await set(false);
    await chat.server.app.change(realm, (change) =>
      enqueueMails(change, { app: chat.server.app, realm }, [mail]),
    );
    await vi.waitFor(
      () => expect(chat.logged()).toContain('The organization was deactivated'),
      15_000,
    );
    await set(true);
    expect(chat.mails.filter((sent) => sent.to === to)).toEqual([]);
    expect(await codeOf(iago, 'GET /users/me')).toBeUndefined();
  });

  test('ends the console sessions of its users, and the links that sign in', async () => {
    const { app } = chat.server;
    const { user } = chat.people.hamlet;
    const password = 'a long password';
    const person = await chat.addPerson('osric', undefined, { password });
    const signIn = await fetch(`${chat.url}/api/v1/console/session`, {
      method: 'POST',
      headers: { 'bellhop-console': 'none' },
      body: new URLSearchParams({ username: person.email, password }),
    });
    expect(signIn.status).toBe(200);
    await app.db.transaction((tx) => createSignInKey(tx, [user], Math.floor(Date.now() / 1000)));
    await set(false);
    await set(true);
    for (const table of ['console_session', 'console_account', 'console_sign_in_key'] as const)
      expect(await app.db.kysely.selectFrom(table).select('realm_id').execute()).toEqual([]);
  });

  test('removes the push devices of its users', async () => {
    const { app } = chat.server;
    await app.db.kysely
      .insertInto('push_device')
      .values({
        realm_id: chat.realm.id,
        user_id: chat.people.hamlet.user.id,
        push_account_id: 1n as never,
        token_kind: 'fcm',
        push_public_key: 'x',
      })
      .execute();
    await set(false);
    await set(true);
    expect(await app.db.kysely.selectFrom('push_device').select('id').execute()).toEqual([]);
  });
});
