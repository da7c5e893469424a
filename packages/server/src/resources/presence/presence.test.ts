import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';

let chat: TestChat;
let now = 1_900_000_000;
beforeAll(async () => {
  chat = await startTestChat({ now: () => now });
});
afterAll(() => chat[Symbol.asyncDispose]());

const active = { status: 'active', new_user_input: true } as const;
const idle = { status: 'idle' } as const;
const ping = ({ client }: Person, params: { status: 'active' | 'idle' } = active) =>
  client.presence.update({ ...params, ping_only: true });

describe('POST /users/me/presence', () => {
  test('the answer has the others by address, by ID, since an update, or nothing', async () => {
    const ann = await chat.addPerson('ann');
    const ben = await chat.addPerson('ben');
    now += 10;
    expect(await ping(ann)).toEqual({});
    const legacy = await ben.client.presence.update(idle);
    const website = { client: 'website', status: 'active', timestamp: now };
    expect(legacy.server_timestamp).toBe(now);
    expect(legacy.presences?.['ann@chat.test']).toEqual({
      aggregated: website,
      website: { ...website, pushable: false },
    });
    expect(legacy.presences?.['ben@chat.test']).toMatchObject({ aggregated: { status: 'idle' } });
    const slim = await ben.client.presence.update({ ...idle, slim_presence: true });
    const times = { active_timestamp: now, idle_timestamp: now };
    expect(slim.presences?.[ann.user.id]).toEqual(times);
    const after = slim.presence_last_update_id ?? -1;
    const unchanged = await ben.client.presence.update({ ...idle, last_update_id: after });
    expect(unchanged).toMatchObject({ presences: {}, presence_last_update_id: after });
    now += 60;
    await ping(ann);
    const changed = await ben.client.presence.update({ ...idle, last_update_id: after });
    expect(Object.keys(changed.presences ?? {})).toEqual([ann.user.id, ben.user.id].map(String));
  });

  test('presence older than the limit is left out', async () => {
    const carl = await chat.addPerson('carl');
    const dora = await chat.addPerson('dora');
    await ping(carl);
    now += 3 * 86_400;
    const seen = async (history_limit_days?: number) => {
      const slim = { ...idle, slim_presence: true, history_limit_days };
      const { presences } = await dora.client.presence.update(slim);
      return presences?.[carl.user.id] !== undefined;
    };
    expect([await seen(), await seen(4), await seen(2)]).toEqual([true, true, false]);
    now += 12 * 86_400;
    expect(await seen()).toBe(false);
    const { presences } = await dora.client.queues.register({
      fetch_event_types: ['presence'],
      slim_presence: true,
      presence_history_limit_days: 30,
    });
    expect(presences).toHaveProperty(String(carl.user.id));
  });

  test('bots and an unknown status are refused', async () => {
    const { hamlet } = chat.people;
    const bot = await hamlet.client.bots.create({ full_name: 'Here', short_name: 'here' });
    const asBot = { ...hamlet, email: 'here-bot@chat.test', api_key: bot.api_key };
    expect((await chat.ask(asBot, 'POST /users/me/presence', active as never)).status).toBe(400);
    expect(
      (await chat.ask(hamlet, 'POST /users/me/presence', { status: 'asleep' })).body,
    ).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('nothing is stored with presence_enabled off or in a realm with presence_disabled', async () => {
    const emil = await chat.addPerson('emil');
    const { kysely } = chat.server.app.db;
    await kysely
      .updateTable('realm_user')
      .set({ settings: JSON.stringify({ presence_enabled: false }) })
      .where('id', '=', emil.user.id)
      .execute();
    const slim = { ...active, slim_presence: true };
    const own = async () => (await emil.client.presence.update(slim)).presences?.[emil.user.id];
    expect(await own()).toBeUndefined();
    await kysely
      .updateTable('realm_user')
      .set({ settings: '{}' })
      .where('id', '=', emil.user.id)
      .execute();
    await chat.server.app.users.forgotten();
    expect(await own()).toBeDefined();
    const setRealm = async (settings: object) => {
      await kysely
        .updateTable('realm')
        .set({ settings: JSON.stringify(settings) })
        .execute();
      chat.server.app.realms.forget();
    };
    await setRealm({ presence_disabled: true });
    expect(await emil.client.presence.update(slim)).toMatchObject({ presences: {} });
    await setRealm({});
  });
});

test('a user who turns presence_enabled off looks offline at once', async () => {
  const { iago } = chat.people;
  const gert = await chat.addPerson('gert');
  await ping(gert);
  const queue = await listen(iago, {
    event_types: ['presence'],
    client_capabilities: { simplified_presence_events: true },
  });
  await gert.client.settings.update({ presence_enabled: false });
  const hidden = { active_timestamp: now - 320, idle_timestamp: now - 320 };
  expect(await queue.events('presence')).toMatchObject([{ presences: { [gert.user.id]: hidden } }]);
  await ping(gert);
  const ask = { fetch_event_types: ['presence'], slim_presence: true };
  const { presences } = await iago.client.queues.register(ask);
  expect(presences?.[gert.user.id]).toEqual(hidden);
  await gert.client.settings.update({ presence_enabled: true });
  await ping(gert);
  expect(await queue.events('presence')).toMatchObject([
    { presences: { [gert.user.id]: { active_timestamp: now, idle_timestamp: now } } },
  ]);
});

describe('presence events', () => {
  test('others learn that a user comes online or becomes active, each client in its format', async () => {
    const { iago } = chat.people;
    const fred = await chat.addPerson('fred');
    const event_types = ['presence'];
    const modern = await listen(iago, {
      event_types,
      client_capabilities: { simplified_presence_events: true },
    });
    const slim = await listen(iago, { event_types, slim_presence: true });
    const older = await listen(iago, { event_types });
    await ping(fred, idle);
    const joined = Math.floor(fred.user.date_joined.getTime() / 1000);
    now += 60;
    await ping(fred, idle);
    await ping(fred);
    const user_id = fred.user.id;
    expect(await modern.all()).toMatchObject([
      { presences: { [user_id]: { active_timestamp: joined, idle_timestamp: now - 60 } } },
      { presences: { [user_id]: { active_timestamp: now, idle_timestamp: now } } },
    ]);
    const website = { client: 'website', pushable: false };
    const events = [
      { user_id, presence: { website: { ...website, status: 'idle', timestamp: now - 60 } } },
      { user_id, presence: { website: { ...website, status: 'active', timestamp: now } } },
    ];
    const slimEvents = await slim.all();
    expect(slimEvents).toMatchObject(events);
    expect(slimEvents.some((event) => 'email' in event)).toBe(false);
    expect(await older.all()).toMatchObject(
      events.map((event) => ({
        ...event,
        email: 'fred@chat.test',
        server_timestamp: expect.any(Number) as number,
      })),
    );
  });

  test('a user who stays online causes no event; after 200 s without a ping the next one does', async () => {
    const gina = await chat.addPerson('gina');
    await ping(gina);
    const queue = await listen(chat.people.iago, { event_types: ['presence'] });
    now += 60;
    await ping(gina);
    expect(await queue.all()).toEqual([]);
    now += 201;
    await ping(gina);
    expect(await queue.all()).toHaveLength(1);
  });
});

describe('GET /users/{user_id}/presence and GET /realm/presence', () => {
  test('the presence of a user by ID and address, and of all', async () => {
    const { iago } = chat.people;
    const hugo = await chat.addPerson('hugo');
    await ping(hugo);
    const status = { status: 'active', timestamp: now };
    for (const user_id of [hugo.user.id, 'Hugo@chat.test'])
      expect(await iago.client.presence.get({ user_id })).toEqual({
        presence: { aggregated: status, website: status },
      });
    const all = await iago.client.presence.list();
    expect(all.server_timestamp).toBe(now);
    expect(all.presences['hugo@chat.test']).toMatchObject({ aggregated: status });
  });

  test('bots, unknown and deactivated users and those without presence are refused', async () => {
    const { iago, cordelia } = chat.people;
    const ida = await chat.addPerson('ida');
    await ping(ida);
    await iago.client.users.deactivate({ user_id: ida.user.id });
    const bot = await iago.client.bots.create({ full_name: 'There', short_name: 'there' });
    for (const [user_id, message] of [
      [ida.user.id, 'No such user'],
      ['nobody@chat.test', 'No such user'],
      [bot.user_id, 'Presence is not supported for bot users.'],
      [cordelia.user.id, `No presence data for ${cordelia.user.id}`],
    ] as const)
      await expect(iago.client.presence.get({ user_id })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        message,
      });
    expect((await iago.client.presence.list()).presences).not.toHaveProperty('ida@chat.test');
  });
});
