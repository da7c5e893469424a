import { createClient } from '@bellhop/client';
import { type AskOf, type Api, MAX_QUEUES_PER_USER, roles } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { idOf } from '../../engine/event-log.ts';
import { sweep } from '../../engine/event-sweep.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await startTestChat();
  const { iago, desdemona, hamlet } = chat.people;
  await iago.client.subscriptions.add({ subscriptions: [{ name: 'verona' }, { name: 'venice' }] });
  await desdemona.client.subscriptions.add({ subscriptions: [{ name: 'verona' }] });
  await iago.client.subscriptions.add({
    subscriptions: [{ name: 'council' }],
    invite_only: true,
    principals: [iago.user.id, hamlet.user.id],
  });
});
afterAll(() => chat[Symbol.asyncDispose]());

/** Registers a queue for messages. `poll` waits for events, `events` and `contents` do not. */
async function queueOf(person: Person, options: AskOf<Api['queues']['register']> = {}) {
  const { queue_id, last_event_id } = await person.client.queues.register({
    event_types: ['message'],
    fetch_event_types: [],
    ...options,
  });
  if (queue_id === null) throw new Error('no queue');
  const poll = (id: number, extra: { dont_block?: boolean } = {}, signal?: AbortSignal) =>
    person.client.queues.events(
      { queue_id, last_event_id: id, ...extra },
      signal ? { signal } : undefined,
    );
  return {
    queue_id,
    last_event_id,
    poll,
    events: async (id = last_event_id) => (await poll(id, { dont_block: true })).events,
    contents: async () =>
      (await poll(last_event_id, { dont_block: true })).events.map(
        (event) => (event['message'] as { content: string }).content,
      ),
  };
}

const sendDirect = (to: Person, content: string, from = chat.people.iago) =>
  from.client.messages.send({ type: 'direct', to: [to.user.id], content });
const sendToChannel = (channel: string, topic: string, content: string, from = chat.people.iago) =>
  from.client.messages.send({ type: 'channel', to: channel, topic, content });

async function waitForPolls(count: number): Promise<void> {
  while (chat.server.app.queues.waiting !== count) await new Promise(setImmediate);
}

describe('a delivered event', () => {
  test('is delivered again until it is acknowledged', async () => {
    const { cordelia } = chat.people;
    const queue = await queueOf(cordelia);
    await sendDirect(cordelia, 'one');
    await sendDirect(cordelia, 'two');
    const first = await queue.events();
    expect(first).toHaveLength(2);
    expect(await queue.events()).toEqual(first);
    const [one, two] = first;
    expect(one?.id).toBeGreaterThan(queue.last_event_id);
    expect(two?.id).toBeGreaterThan(one?.id ?? Infinity);
    expect(await queue.events(one?.id)).toEqual([two]);
    expect(await queue.events(two?.id)).toEqual([]);
  });

  test('is not delivered after its acknowledgement', async () => {
    const { cordelia } = chat.people;
    const queue = await queueOf(cordelia);
    await sendDirect(cordelia, 'one');
    const [one] = await queue.events();
    await queue.events(one?.id);
    await expect(queue.events()).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      status: 400,
      message: `An event newer than ${queue.last_event_id} has already been pruned!`,
    });
    expect(await queue.events(one?.id)).toEqual([]);
  });

  test('cannot be acknowledged before its delivery', async () => {
    const queue = await queueOf(chat.people.cordelia);
    const undelivered = queue.last_event_id + idOf(1000);
    await expect(queue.events(undelivered)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: `Event ${undelivered} was never in this queue`,
    });
    await expect(queue.events(-2)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await queue.events()).toEqual([]);
  });

  test('is delivered to a client that begins with last_event_id -1, until it is acknowledged', async () => {
    const { cordelia } = chat.people;
    const queue = await queueOf(cordelia);
    const waiting = queue.poll(-1);
    await waitForPolls(1);
    await sendDirect(cordelia, 'one');
    const [one] = (await waiting).events;
    expect(await queue.events(-1)).toEqual([one]);
    expect(await queue.events(one?.id)).toEqual([]);
    await expect(queue.events(-1)).rejects.toMatchObject({
      message: 'An event newer than -1 has already been pruned!',
    });
  });
});

describe('a poll', () => {
  test('waits for an event', async () => {
    const { cordelia } = chat.people;
    const queue = await queueOf(cordelia);
    const poll = queue.poll(queue.last_event_id);
    await waitForPolls(1);
    await sendDirect(cordelia, 'at last');
    const answer = await poll;
    expect(answer).toMatchObject({
      queue_id: queue.queue_id,
      events: [{ type: 'message', message: { content: 'at last' }, flags: [] }],
    });
    await waitForPolls(0);
  });

  test('with dont_block returns at once', async () => {
    const queue = await queueOf(chat.people.cordelia);
    expect(await queue.events()).toEqual([]);
  });

  test('ends when another poll of its queue starts', async () => {
    const { cordelia } = chat.people;
    const queue = await queueOf(cordelia);
    const first = queue.poll(queue.last_event_id);
    await waitForPolls(1);
    const second = queue.poll(queue.last_event_id);
    expect((await first).events).toEqual([]);
    await sendDirect(cordelia, 'for the second');
    expect((await second).events).toHaveLength(1);
  });

  test('ends when its queue is deleted', async () => {
    const { client } = chat.people.cordelia;
    const { queue_id, poll, last_event_id } = await queueOf(chat.people.cordelia);
    const waiting = poll(last_event_id);
    await waitForPolls(1);
    await client.queues.remove({ queue_id });
    expect((await waiting).events).toEqual([]);
    const unknown = { code: 'BAD_EVENT_QUEUE_ID', status: 400, data: { queue_id } };
    await expect(poll(last_event_id)).rejects.toMatchObject(unknown);
    await expect(client.queues.remove({ queue_id })).rejects.toMatchObject(unknown);
  });

  test('ends when its client disconnects', async () => {
    const queue = await queueOf(chat.people.cordelia);
    const client = new AbortController();
    const poll = queue.poll(queue.last_event_id, {}, client.signal);
    await waitForPolls(1);
    client.abort();
    await expect(poll).rejects.toThrow();
    await waitForPolls(0);
  });

  test('ends when its node stops; the queue continues on another node', async () => {
    const { cordelia } = chat.people;
    const other = await chat.anotherNode();
    const queue = await queueOf(cordelia);
    const { queue_id, last_event_id } = queue;
    const authorization = `Basic ${btoa(`${cordelia.email}:${cordelia.api_key}`)}`;
    const pollOnOther = fetch(
      `${other.url}/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`,
      { headers: { authorization } },
    );
    while (other.server.app.queues.waiting === 0) await new Promise(setImmediate);
    other.server.app.queues.stop();
    expect(await (await pollOnOther).json()).toMatchObject({ result: 'success', events: [] });
    await sendDirect(cordelia, 'still here');
    expect(await queue.contents()).toEqual(['still here']);
  });
});

describe('an event queue', () => {
  test('can be used only by its owner', async () => {
    const { queue_id, last_event_id } = await queueOf(chat.people.cordelia);
    const { hamlet } = chat.people;
    const unknown = {
      code: 'BAD_EVENT_QUEUE_ID',
      status: 400,
      message: `Bad event queue ID: ${queue_id}`,
      data: { queue_id },
    };
    const { queues: api } = hamlet.client;
    await expect(api.events({ queue_id, last_event_id })).rejects.toMatchObject(unknown);
    await expect(api.remove({ queue_id })).rejects.toMatchObject(unknown);
  });

  test.each(['x', '', '00000000-0000-0000-0000-000000000000', 'a'.repeat(500)])(
    'with the unknown id %j is rejected',
    async (queue_id) => {
      const { queues: api } = chat.people.hamlet.client;
      await expect(api.events({ queue_id, last_event_id: 0 })).rejects.toMatchObject({
        code: 'BAD_EVENT_QUEUE_ID',
        data: { queue_id },
      });
    },
  );

  test('is polled with queue_id and last_event_id: a poll without either is rejected', async () => {
    const { queues: api } = chat.people.hamlet.client;
    await expect(api.events({ last_event_id: 0 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(
      api.events({ queue_id: '00000000-0000-0000-0000-000000000000' }),
    ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('is deleted after its lifespan without a poll', async () => {
    const { kysely } = chat.server.app.db;
    const usual = await queueOf(chat.people.cordelia);
    const longer = await queueOf(chat.people.cordelia, { idle_queue_timeout: 3600 });
    const age = (seconds: number) =>
      kysely
        .updateTable('event_queue')
        .set({ last_active: new Date(Date.now() - seconds * 1000) })
        .where('id', 'in', [usual.queue_id, longer.queue_id])
        .execute();
    await age(595);
    await sweep(chat.server.app.db, new Map());
    expect(await usual.events()).toEqual([]);
    await age(640);
    await sweep(chat.server.app.db, new Map());
    await expect(usual.events()).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    expect(await longer.events()).toEqual([]);
    await age(3640);
    await sweep(chat.server.app.db, new Map());
    await expect(longer.events()).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  });
});

test('a user who registers too many queues loses the queue that was unused longest', async () => {
  const juliet = await chat.addPerson('juliet');
  const first = await queueOf(juliet);
  const second = await queueOf(juliet);
  expect(await first.events()).toEqual([]);
  const poll = second.poll(second.last_event_id);
  await waitForPolls(1);
  const { kysely } = chat.server.app.db;
  const others = await queueOf(chat.people.cordelia);
  // With these the user has as many queues as are allowed.
  await sql`
    insert into event_queue (realm_id, id, user_id, registration, client, acknowledged_id, scanned_seq,
      lifespan_seconds)
    select realm_id, gen_random_uuid(), user_id, registration, client, acknowledged_id, scanned_seq,
      lifespan_seconds
    from event_queue, generate_series(3, ${MAX_QUEUES_PER_USER}) where id = ${first.queue_id}`.execute(
    kysely,
  );
  // The server may write meanwhile that the second queue is in use now.
  const later = new Date(Date.now() + 60_000);
  await kysely
    .updateTable('event_queue')
    .set({ last_active: later })
    .where('user_id', '=', juliet.user.id)
    .where('id', '<>', second.queue_id)
    .execute();
  await queueOf(juliet);
  expect((await poll).events).toEqual([]);
  await expect(second.events()).rejects.toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
  expect(await first.events()).toEqual([]);
  expect(await others.events()).toEqual([]);
});

test('a poll ends although the notice that its API key was revoked is lost', async () => {
  const node = await chat.anotherNode();
  const benvolio = await chat.addPerson('benvolio');
  const { email, api_key: apiKey } = benvolio;
  const there = createClient({ url: node.url, email, apiKey });
  const { queue_id, last_event_id } = await queueOf(benvolio);
  const poll = there.queues.events({ queue_id, last_event_id });
  while (node.server.app.queues.waiting === 0) await new Promise(setImmediate);
  await sql`select pg_terminate_backend(pid) from (
    select pid from pg_stat_activity
    where query like 'listen %' and datname = current_database()
    order by backend_start desc limit 1) newest`.execute(chat.server.app.db.kysely);
  await benvolio.client.accounts.regenerateApiKey();
  expect((await poll).events).toEqual([]);
  await expect(there.queues.events({ queue_id, last_event_id })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
    status: 401,
  });
});

test('client_capabilities null is taken as none', async () => {
  const { status, body } = await chat.ask(chat.people.hamlet, 'POST /register', {
    client_capabilities: 'null',
    fetch_event_types: '["realm_linkifiers"]',
  });
  expect([status, body['realm_linkifiers']]).toEqual([200, []]);
});

describe('an event queue gets', () => {
  test('only the event types it registered', async () => {
    const { cordelia, iago } = chat.people;
    const none = await queueOf(cordelia, { event_types: [] });
    const typing = await queueOf(cordelia, { event_types: ['typing'] });
    const all = await queueOf(cordelia, { event_types: null });
    await iago.client.typing.send({ op: 'start', to: [cordelia.user.id] });
    await sendDirect(cordelia, 'typed');
    const types = async (queue: typeof all) => (await queue.events()).map(({ type }) => type);
    expect(await types(none)).toEqual([]);
    expect(await types(typing)).toEqual(['typing']);
    expect(await types(all)).toEqual(['typing', 'message']);
  });

  test('with all_public_streams every public channel and no private one', async () => {
    const { cordelia } = chat.people;
    const own = await queueOf(cordelia);
    const all = await queueOf(cordelia, { all_public_streams: true });
    await sendToChannel('verona', 'news', 'public');
    await sendToChannel('council', 'news', 'private');
    expect(await own.contents()).toEqual([]);
    expect(await all.contents()).toEqual(['public']);
  });

  test('no all_public_streams for a guest: registration is rejected', async () => {
    const guest = await chat.addPerson('launcelot', roles.guest);
    await expect(queueOf(guest, { all_public_streams: true })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  test.each([
    [
      [{ operator: 'channel', operand: 'Verona' }],
      ['plain', 'other topic', '@**Desdemona**', 'empty topic'],
    ],
    [[{ operator: 'topic', operand: '(no topic)' }], ['empty topic']],
    [
      [
        ['stream', 'verona'],
        ['topic', 'NEWS'],
      ],
      ['plain', '@**Desdemona**'],
    ],
    [[{ operator: 'is', operand: 'dm' }], ['direct']],
    [
      [{ operator: 'is', operand: 'dm', negated: true }],
      ['plain', 'other topic', '@**Desdemona**', 'empty topic'],
    ],
    [[{ operator: 'is', operand: 'mentioned' }], ['@**Desdemona**']],
    [[{ operator: 'sender', operand: 'hamlet@chat.test' }], []],
  ] as const)('only the messages that match its narrow %j', async (narrow, expected) => {
    const { desdemona } = chat.people;
    const queue = await queueOf(desdemona, { narrow: structuredClone(narrow) as never });
    await sendToChannel('verona', 'news', 'plain');
    await sendToChannel('verona', 'gossip', 'other topic');
    await sendToChannel('verona', 'news', '@**Desdemona**');
    await sendToChannel('verona', '', 'empty topic');
    await sendDirect(desdemona, 'direct');
    expect(await queue.contents()).toEqual(expected);
  });

  test('only the messages of the conversation that its narrow `dm` names', async () => {
    const { desdemona, iago, cordelia } = chat.people;
    const { email } = iago;
    const narrowed = await Promise.all(
      [
        { operator: 'dm', operand: [iago.user.id] },
        { operator: 'pm-with', operand: `${email}, ${desdemona.email}` },
        { operator: 'dm', operand: email, negated: true },
        { operator: 'dm', operand: [iago.user.id, cordelia.user.id] },
      ].map((term) => queueOf(desdemona, { narrow: [term] })),
    );
    await sendDirect(desdemona, 'from Iago');
    await sendDirect(desdemona, 'from Cordelia', cordelia);
    await sendToChannel('verona', 'news', '@**Desdemona**');
    const to = [desdemona.user.id, cordelia.user.id];
    await iago.client.messages.send({ type: 'direct', to, content: 'to both' });
    const found = await Promise.all(narrowed.map((queue) => queue.contents()));
    expect(found).toEqual([
      ['from Iago'],
      ['from Iago'],
      ['from Cordelia', '@**Desdemona**', 'to both'],
      ['to both'],
    ]);
  });

  test.each([
    { operator: 'has', operand: 'link' },
    { operator: 'is', operand: 'followed' },
  ])('no narrow that it cannot apply: registration with %j is rejected', async (term) => {
    await expect(queueOf(chat.people.hamlet, { narrow: [term] })).rejects.toMatchObject({
      code: expect.stringMatching(/BAD_REQUEST|BAD_NARROW/),
    });
  });
});
