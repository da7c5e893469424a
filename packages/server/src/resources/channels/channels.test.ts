import { expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { countRecentMessagesOfAll } from './count-recent-messages.ts';
import { subscribe } from './subscribe/subscribing.fixture.ts';

/** Verona (public, Hamlet), Rome (public, Cordelia), secret (private, Hamlet), web, and old. */
async function startWithChannels(): Promise<TestChat> {
  const chat = await startTestChat();
  const { hamlet, cordelia, shiva } = chat.people;
  await subscribe(hamlet, ['Verona']);
  await subscribe(cordelia, ['Rome', 'web', 'old']);
  await subscribe(hamlet, ['secret'], {
    invite_only: true,
    can_administer_channel_group: { direct_members: [shiva.user.id], direct_subgroups: [] },
  });
  const { kysely } = chat.server.app.db;
  await kysely
    .updateTable('channel')
    .set({ is_web_public: true })
    .where('name', '=', 'web')
    .execute();
  await kysely
    .updateTable('channel')
    .set({ is_archived: true })
    .where('name', '=', 'old')
    .execute();
  return chat;
}

const listed = async (
  { client }: Person,
  flags: Parameters<Person['client']['channels']['list']>[0] = {},
) => (await client.channels.list(flags)).streams.map(({ name }) => name);

const none = { include_public: false, include_subscribed: false };

test('GET /streams lists the channels that each role may see', async () => {
  await using chat = await startWithChannels();
  const { desdemona, iago, shiva, hamlet, cordelia, polonius } = chat.people;
  expect(await listed(hamlet)).toEqual(['Rome', 'Verona', 'secret', 'web']);
  expect(await listed(cordelia)).toEqual(['Rome', 'Verona', 'web']);
  expect(await listed(polonius)).toEqual(['web']);
  for (const all of [{ include_all: true }, { include_all_active: true }]) {
    const flags = { ...none, ...all };
    for (const person of [desdemona, iago, shiva, hamlet])
      expect(await listed(person, flags)).toEqual(['Rome', 'Verona', 'secret', 'web']);
    expect(await listed(cordelia, flags)).toEqual(['Rome', 'Verona', 'web']);
    expect(await listed(polonius, flags)).toEqual(['web']);
  }
  expect(await listed(desdemona, { ...none, include_can_access_content: true })).toEqual([
    'Rome',
    'Verona',
    'web',
  ]);
});

test('each include flag of GET /streams adds its channels', async () => {
  await using chat = await startWithChannels();
  const { hamlet, cordelia } = chat.people;
  expect(await listed(hamlet, none)).toEqual([]);
  expect(await listed(hamlet, { ...none, include_public: true })).toEqual([
    'Rome',
    'Verona',
    'web',
  ]);
  expect(await listed(hamlet, { ...none, include_subscribed: true })).toEqual(['Verona', 'secret']);
  expect(await listed(hamlet, { ...none, include_web_public: true })).toEqual(['web']);
  expect(await listed(cordelia, { exclude_archived: false })).toEqual([
    'Rome',
    'Verona',
    'old',
    'web',
  ]);
});

test('include_owner_subscribed adds the channels of the owner of a bot', async () => {
  await using chat = await startWithChannels();
  const { hamlet } = chat.people;
  const bot = await chat.addPerson('echo');
  await chat.server.app.db.kysely
    .updateTable('realm_user')
    .set({ is_bot: true, bot_type: 1, bot_owner_id: hamlet.user.id })
    .where('id', '=', bot.user.id)
    .execute();
  chat.server.app.realms.forget();
  const node = await chat.anotherNode();
  const ask = async (query: string) => {
    const answer = await fetch(`${node.url}/api/v1/streams?${query}`, {
      headers: { authorization: `Basic ${btoa(`${bot.email}:${bot.api_key}`)}` },
    });
    const { streams } = (await answer.json()) as { streams: { name: string }[] };
    return streams.map(({ name }) => name);
  };
  const flags = 'include_public=false&include_subscribed=false';
  expect(await ask(`${flags}&include_owner_subscribed=true`)).toEqual(['Verona', 'secret']);
  expect(await ask(flags)).toEqual([]);
  expect(await listed(hamlet, { ...none, include_owner_subscribed: true })).toEqual([]);
});

test('GET /get_stream_id finds a channel in any letter case, and only for its viewers', async () => {
  await using chat = await startWithChannels();
  const { hamlet, cordelia, iago, shiva, polonius } = chat.people;
  const { stream_id } = await hamlet.client.channels.id({ stream: ' SECRET' });
  expect(await iago.client.channels.id({ stream: 'secret' })).toMatchObject({ stream_id });
  expect(await shiva.client.channels.id({ stream: 'secret' })).toMatchObject({ stream_id });
  expect((await chat.ask(hamlet, 'GET /get_stream_id', { channel: 'secret' })).body).toMatchObject({
    stream_id,
  });
  const unseen = [
    [cordelia, 'secret'],
    [polonius, 'Verona'],
    [hamlet, 'nowhere'],
  ] as const;
  for (const [{ client }, stream] of unseen)
    await expect(client.channels.id({ stream })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: `Invalid channel name '${stream}'`,
    });
});

test('is_recently_active spans 180 days, stream_weekly_traffic four weeks', async () => {
  const day = 86_400;
  let now = 1_800_000_000;
  await using chat = await startTestChat({ now: () => now });
  const { hamlet } = chat.people;
  await subscribe(hamlet, ['Verona']);
  const look = async () => {
    await countRecentMessagesOfAll.run({}, chat.server.app, {} as never);
    const [channel] = (await hamlet.client.channels.list({})).streams;
    return [channel?.is_recently_active, channel?.stream_weekly_traffic];
  };
  const send = () =>
    hamlet.client.messages.send({ type: 'channel', to: 'Verona', topic: 't', content: 'x' });
  for (let at = 0; at < 6; at += 1) await send();
  expect(await look()).toEqual([true, null]);
  now += 6 * day;
  expect(await look()).toEqual([true, null]);
  now += 8 * day;
  expect(await look()).toEqual([true, 3]);
  now += 10 * day;
  await send();
  expect(await look()).toEqual([true, 2]);
  now += 150 * day;
  expect(await look()).toEqual([true, 0]);
  now += 30 * day;
  expect(await look()).toEqual([false, 0]);
});

test('GET /users/me/subscriptions lists the subscriptions of the caller, with subscribers if asked', async () => {
  await using chat = await startWithChannels();
  const { hamlet, cordelia, polonius } = chat.people;
  const { client } = cordelia;
  await subscribe(hamlet, ['Rome'], { who: [hamlet, polonius] });
  const { subscriptions } = await client.subscriptions.list({});
  expect(subscriptions.map(({ name }) => name)).toEqual(['Rome', 'web']);
  expect(subscriptions[0]).toMatchObject({ subscriber_count: 3 });
  expect(subscriptions[0]).not.toHaveProperty('subscribers');
  for (const include_subscribers of [true, 'partial'] as const)
    expect(
      (await client.subscriptions.list({ include_subscribers })).subscriptions[0],
    ).toHaveProperty(
      'subscribers',
      [hamlet, cordelia, polonius].map(({ user }) => user.id),
    );
  await chat.server.app.db.kysely
    .updateTable('realm_user')
    .set({ is_active: false })
    .where('id', '=', hamlet.user.id)
    .execute();
  expect(
    (await client.subscriptions.list({ include_subscribers: true })).subscriptions[0],
  ).toMatchObject({ subscriber_count: 2, subscribers: [cordelia.user.id, polonius.user.id] });
});
