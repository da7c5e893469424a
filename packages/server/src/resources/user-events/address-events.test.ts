import type { UserId } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

const EVERYONE = 1;
const MEMBERS = 2;
const ADMINS = 3;
const NOBODY = 4;
const MODERATORS = 5;

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

const readers = () => Object.entries(chat.people);

const shownTo = async ({ client }: Person, user_id: UserId) =>
  (await client.users.get({ user_id })).user.delivery_email;

type Shown = Awaited<ReturnType<typeof shownTo>>;

async function shownToAll(user_id: UserId): Promise<ReadonlyMap<string, Shown>> {
  const shown = new Map<string, Shown>();
  for (const [name, reader] of readers()) shown.set(name, await shownTo(reader, user_id));
  return shown;
}

test('a changed visibility of an address is told to those, and only those, who see it otherwise now', async () => {
  const { hamlet } = chat.people;
  for (const email_address_visibility of [
    ADMINS,
    MEMBERS,
    NOBODY,
    MODERATORS,
    EVERYONE,
    NOBODY,
    EVERYONE,
  ] as const) {
    const before = await shownToAll(hamlet.user.id);
    const queues = new Map<string, Awaited<ReturnType<typeof listen>>>();
    for (const [name, reader] of readers())
      queues.set(name, await listen(reader, { event_types: ['realm_user'] }));
    await hamlet.client.settings.update({ email_address_visibility });
    for (const [name, shown] of await shownToAll(hamlet.user.id)) {
      const persons = ((await queues.get(name)?.all()) ?? []).map(
        (event) => event['person'] as { delivery_email?: Shown },
      );
      const told = persons.filter((person) => 'delivery_email' in person);
      const expected = shown === before.get(name) ? [] : [shown];
      const about = `${name}, ${email_address_visibility}`;
      expect(
        told.map(({ delivery_email }) => delivery_email),
        about,
      ).toEqual(expected);
    }
  }
});

test('a new user is told to each role with the address that the role may see', async () => {
  const { desdemona } = chat.people;
  for (const email_address_visibility of [EVERYONE, MEMBERS, ADMINS, NOBODY, MODERATORS] as const) {
    await desdemona.client.settings.updateRealmDefaults({ email_address_visibility });
    const queues = new Map<string, Awaited<ReturnType<typeof listen>>>();
    for (const [name, reader] of readers())
      queues.set(name, await listen(reader, { event_types: ['realm_user'] }));
    const { user_id } = await desdemona.client.users.create({
      email: `new${email_address_visibility}@chat.test`,
      full_name: `New ${email_address_visibility}`,
      password: 'correct horse battery staple',
    });
    for (const [name, delivery_email] of await shownToAll(user_id)) {
      const about = `${name}, ${email_address_visibility}`;
      expect(await queues.get(name)?.all(), about).toMatchObject([
        { type: 'realm_user', op: 'add', person: { user_id, delivery_email } },
      ]);
    }
  }
});
