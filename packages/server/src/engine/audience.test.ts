import { createClient } from '@bellhop/client';
import type { Database } from '@bellhop/postgres';
import { type Role, roles } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import { addChannel } from '../resources/channels/channels.fixture.ts';
import { listen } from '../resources/queues/listen.fixture.ts';
import { type Person, startTestChat, type TestChat } from '../test-chat.fixture.ts';
import { newestSeq } from './event-log.ts';
import { EventQueues, POLLS_CHANNEL } from './event-queues.ts';
import type { Tables } from './tables.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

let count = 0;
/** Emits an event for everybody; returns the new name of the realm that is in it. */
async function nameRealm(): Promise<string> {
  const name = `realm ${++count}`;
  await chat.people.desdemona.client.realms.update({ name });
  return name;
}

async function addDefaultChannel(): Promise<number> {
  const { iago } = chat.people;
  const id = await addChannel(chat, { name: `default ${++count}`, subscribers: [iago] });
  const added = await chat.ask(iago, 'POST /default_streams', { stream_id: `${id}` });
  expect(added.body).toMatchObject({ result: 'success' });
  return id;
}

test('an event for everybody reaches people and bots of every role, an event for members no guest', async () => {
  const { desdemona, iago, shiva, hamlet, polonius } = chat.people;
  const { api_key } = await hamlet.client.bots.create({
    full_name: 'listener',
    short_name: 'listener',
  });
  const email = 'listener-bot@chat.test';
  const bot = { client: createClient({ url: chat.url, email, apiKey: api_key }) };
  const members = [desdemona, iago, shiva, hamlet, bot];
  const queues = await Promise.all([...members, polonius].map((one) => listen(one)));
  const name = await nameRealm();
  const id = await addDefaultChannel();
  const heard = await Promise.all(
    queues.map(async ({ all }) =>
      (await all()).filter(({ type }) => type === 'realm' || type === 'default_streams'),
    ),
  );
  const renamed = { type: 'realm', property: 'name', value: name };
  const channels = { type: 'default_streams', default_streams: expect.arrayContaining([id]) };
  for (const events of heard.slice(0, members.length))
    expect(events).toMatchObject([renamed, channels]);
  expect(heard.at(-1)).toMatchObject([renamed]);
});

describe('a queue whose user changes', () => {
  const databases: Database<Tables>[] = [];
  const nodes: EventQueues[] = [];
  let user: Person;
  beforeEach(async () => {
    user = await chat.addPerson(`changing ${++count}`);
  });
  afterEach(async () => {
    for (const queues of nodes.splice(0)) queues.stop();
    for (const db of databases.splice(0)) await db.close();
  });

  /** The queues of another node, which is not told that queues are deleted. */
  async function deafNode(): Promise<EventQueues> {
    const db = await chat.openDatabase();
    databases.push(db);
    const deaf: Database<Tables> = {
      ...db,
      listen: async (channel, onPayload) =>
        channel === POLLS_CHANNEL ? () => {} : db.listen(channel, onPayload),
    };
    const queues = new EventQueues({
      db: deaf,
      presenters: {},
      shownToGuest: async (_guest, events) => events,
      onError: () => {},
    });
    await queues.start();
    nodes.push(queues);
    return queues;
  }

  async function register(event_types = ['realm', 'realm_user', 'default_streams']) {
    const { queue_id, last_event_id } = await user.client.queues.register({ event_types });
    if (queue_id === null) throw new Error('no queue');
    return { queue_id, last_event_id };
  }
  const poll = (queues: EventQueues, queue: Awaited<ReturnType<typeof register>>, wait = false) =>
    queues.poll({
      ...queue,
      realm: chat.realm.id,
      user_id: user.user.id,
      dont_block: !wait,
      signal: new AbortController().signal,
    });

  const setRole = (role: Role) =>
    chat.people.desdemona.client.users.update({ user_id: user.user.id, role });
  const deactivate = () => chat.people.desdemona.client.users.deactivate({ user_id: user.user.id });
  const changes = [
    ['is deactivated', deactivate],
    ['becomes a guest', () => setRole(roles.guest)],
    ['becomes a moderator', () => setRole(roles.moderator)],
  ] as const;

  test.each(changes)(
    'and %s ends on a node that does not hear of it, without the event of the change or a later one',
    async (_title, change) => {
      const queues = await deafNode();
      const queue = await register();
      const waiting = poll(queues, queue, true);
      while (queues.waiting === 0) await new Promise(setImmediate);
      await change();
      await nameRealm();
      expect(await waiting).toEqual([]);
      await expect(poll(queues, queue)).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    },
  );

  test.each(changes)(
    'and %s while it is registered, so that its deletion comes too early, gets earlier events and then ends',
    async (_title, change) => {
      const { kysely } = chat.server.app.db;
      const queue = await register();
      const row = await kysely
        .selectFrom('event_queue')
        .selectAll()
        .where('id', '=', queue.queue_id)
        .executeTakeFirstOrThrow();
      const name = await nameRealm();
      await change();
      await kysely
        .insertInto('event_queue')
        .values({ ...row, registration: JSON.stringify(row.registration) })
        .execute();
      await nameRealm();
      const queues = await deafNode();
      const events = await poll(queues, queue);
      expect(events).toMatchObject([{ type: 'realm', property: 'name', value: name }]);
      const next = { ...queue, last_event_id: events[0]?.id ?? 0 };
      for (const wait of [false, true])
        await expect(poll(queues, next, wait)).rejects.toMatchObject({
          code: 'BAD_EVENT_QUEUE_ID',
        });
    },
  );

  test('a queue of the new role gets only what is for that role, on every node', async () => {
    const queues = await deafNode();
    const former = poll(queues, await register(), true);
    while (queues.waiting === 0) await new Promise(setImmediate);
    await setRole(roles.guest);
    const asGuest = await register();
    expect(await former).toEqual([]);
    await addDefaultChannel();
    const name = await nameRealm();
    expect(await poll(queues, asGuest)).toMatchObject([{ type: 'realm', value: name }]);
    await setRole(roles.member);
    const asMember = await register();
    const id = await addDefaultChannel();
    expect(await poll(queues, asMember)).toMatchObject([
      { type: 'default_streams', default_streams: expect.arrayContaining([id]) },
    ]);
  });
});

test('events of the whole realm are stored in a few bytes, however many users it has', async () => {
  const { desdemona, iago, hamlet } = chat.people;
  const { kysely } = chat.server.app.db;
  await sql`insert into realm_user
      (realm_id, delivery_email, full_name, api_key_mac, api_key_sealed, role)
    select ${chat.realm.id}, 'many' || n || '@chat.test', 'Many ' || n,
      decode(lpad(to_hex(n), 8, '0'), 'hex'), '', case when n % 10 = 0 then 600 else 400 end
    from generate_series(1, 20000) n`.execute(kysely);
  const before = await newestSeq(kysely, chat.realm.id);
  await nameRealm();
  await addDefaultChannel();
  await desdemona.client.userGroups.create({ name: 'few', description: '', members: [] });
  await desdemona.client.realms.update({
    can_create_groups: { new: (await groupNamed('few')) ?? 0 },
  });
  await hamlet.client.userStatus.set({ status_text: 'away' });
  await hamlet.client.presence.update({ status: 'active', ping_only: true });
  await iago.client.users.update({ user_id: hamlet.user.id, full_name: 'Prince Hamlet' });
  for (const email_address_visibility of [3, 2, 1] as const)
    await hamlet.client.settings.update({ email_address_visibility });
  await hamlet.client.bots.create({ full_name: 'tiny', short_name: 'tiny' });
  const { rows } = await sql<{ type: string; bytes: number }>`
    select type, pg_column_size(audience) as bytes from event
    where realm_id = ${chat.realm.id} and seq > ${before} and type = any(array['realm',
      'default_streams', 'user_group', 'user_status', 'presence', 'realm_user'])
    order by seq`.execute(kysely);
  expect(new Set(rows.map(({ type }) => type)).size).toBe(6);
  for (const { type, bytes } of rows) expect(bytes, type).toBeLessThan(100);
});

const groupNamed = async (name: string) =>
  (await chat.people.desdemona.client.userGroups.list()).user_groups.find(
    (group) => group.name === name,
  )?.id;
