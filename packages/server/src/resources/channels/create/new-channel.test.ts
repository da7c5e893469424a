import type { SystemGroup } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { refusedWith } from '../../../expect-refused.fixture.ts';
import { type Person, startTestChat } from '../../../test-chat.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';
import {
  groupIds,
  setRealmGroup,
  setRealmSettings,
  subscribe,
} from '../subscribe/subscribing.fixture.ts';

const insufficient = { code: 'BAD_REQUEST', message: 'Insufficient permission' };
type Settings = NonNullable<Parameters<typeof subscribe>[2]>;

/** Creates a channel and returns its record. */
async function made(person: Person, settings: Settings = {}) {
  const name = `channel ${crypto.randomUUID()}`;
  await subscribe(person, [name], settings);
  const { streams } = await person.client.channels.list({ include_default: true });
  const channel = streams.find((one) => one.name === name);
  if (!channel) throw new Error('It was not made');
  return channel;
}

test('only private channels protect their history, and do so by default', async () => {
  await using chat = await startTestChat();
  const { hamlet } = chat.people;
  const shows = async (settings: Settings) =>
    (await made(hamlet, settings)).history_public_to_subscribers;
  expect(await shows({})).toBe(true);
  expect(await shows({ history_public_to_subscribers: false })).toBe(true);
  expect(await shows({ invite_only: true })).toBe(false);
  expect(await shows({ invite_only: true, history_public_to_subscribers: true })).toBe(true);
});

test('message_retention_days holds at most the largest integer of its column', async () => {
  await using chat = await startTestChat();
  const { desdemona } = chat.people;
  const most = 2 ** 31 - 1;
  const create = (name: string, days: number) =>
    chat.ask(desdemona, 'POST /users/me/subscriptions', {
      subscriptions: JSON.stringify([{ name }]),
      message_retention_days: String(days),
    });
  expect(await create('kept longest', most)).toMatchObject({ status: 200 });
  expect(await create('kept too long', most + 1)).toMatchObject({
    status: 400,
    body: { code: 'BAD_REQUEST', var_name: 'message_retention_days' },
  });
});

test('only owners set message_retention_days', async () => {
  await using chat = await startTestChat();
  const { desdemona, iago } = chat.people;
  const days = async (message_retention_days: Settings['message_retention_days']) =>
    (await made(desdemona, { message_retention_days })).message_retention_days;
  expect(await days('realm_default')).toBeNull();
  expect(await days('unlimited')).toBe(-1);
  expect(await days('forever')).toBe(-1);
  expect(await days(30)).toBe(30);
  await expect(made(iago, { message_retention_days: 30 })).rejects.toMatchObject({
    code: 'UNAUTHORIZED_PRINCIPAL',
    message: 'Must be an organization owner',
  });
  const { body } = await chat.ask(desdemona, 'POST /users/me/subscriptions', {
    subscriptions: '[{"name":"bare"}]',
    message_retention_days: '0',
  });
  expect(body).toMatchObject({ code: 'BAD_REQUEST' });
});

test('only administrators create default channels, and only public ones', async () => {
  await using chat = await startTestChat();
  const { iago, shiva } = chat.people;
  expect((await made(iago, { is_default_stream: true })).is_default).toBe(true);
  expect((await made(iago)).is_default).toBe(false);
  await expect(made(shiva, { is_default_stream: true })).rejects.toMatchObject(insufficient);
  await expect(made(iago, { is_default_stream: true, invite_only: true })).rejects.toMatchObject(
    refusedWith('A default channel cannot be private.'),
  );
});

test('a web-public channel requires enable_spectator_access and can_create_web_public_channel_group', async () => {
  await using chat = await startTestChat();
  const { desdemona, iago, polonius } = chat.people;
  await expect(made(desdemona, { is_web_public: true })).rejects.toMatchObject(
    refusedWith('Web-public channels are not enabled.'),
  );
  await setRealmSettings(chat, { enable_spectator_access: true });
  await expect(made(iago, { is_web_public: true })).rejects.toMatchObject(insufficient);
  await expect(made(desdemona, { is_web_public: true, invite_only: true })).rejects.toMatchObject(
    refusedWith('A web-public channel cannot be private.'),
  );
  const channel = await made(desdemona, { is_web_public: true });
  expect(channel.is_web_public).toBe(true);
  const { streams } = await polonius.client.channels.list({ include_web_public: true });
  expect(streams.map(({ name }) => name)).toEqual([channel.name]);
});

test('topics_policy requires can_set_topics_policy_group', async () => {
  await using chat = await startTestChat();
  const { hamlet, iago } = chat.people;
  const policy = { topics_policy: 'empty_topic_only' } as const;
  expect((await made(hamlet, policy)).topics_policy).toBe('empty_topic_only');
  await setRealmGroup(chat, 'can_set_topics_policy_group', 'role:administrators');
  await expect(made(hamlet, policy)).rejects.toMatchObject(insufficient);
  expect((await made(hamlet)).topics_policy).toBe('inherit');
  expect((await made(iago, policy)).topics_policy).toBe('empty_topic_only');
});

test('a permission of a new channel is a named group, or lists users and groups', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia, shiva } = chat.people;
  const groups = await groupIds(chat);
  const sending = async (value: Settings['can_send_message_group']) =>
    (await made(hamlet, { can_send_message_group: value })).can_send_message_group;
  expect(await sending(groups['role:moderators'])).toBe(groups['role:moderators']);
  const mixed = {
    direct_members: [hamlet.user.id, cordelia.user.id],
    direct_subgroups: [groups['role:moderators']],
  };
  expect(await sending(mixed)).toEqual(mixed);
  expect(await sending({ direct_members: [], direct_subgroups: [groups['role:members']] })).toBe(
    groups['role:members'],
  );
  expect(await sending({ direct_members: [], direct_subgroups: [] })).toBe(groups['role:nobody']);
  const channel = await made(hamlet, {
    can_send_message_group: { direct_members: [cordelia.user.id], direct_subgroups: [] },
    who: [hamlet, cordelia, shiva],
  });
  const post = ({ client }: Person) =>
    client.messages.send({ type: 'channel', to: channel.name, topic: 't', content: 'x' });
  await post(cordelia);
  await expect(post(shiva)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test.each([
  ['role:everyone', 1],
  ['role:administrators', 2],
  ['role:fullmembers', 3],
  ['role:moderators', 4],
  ['role:nobody', 1],
] as const)('the old posting policy of %s is %i', async (group, policy) => {
  await using chat = await startTestChat();
  const groups = await groupIds(chat);
  expect(await made(chat.people.hamlet, { can_send_message_group: groups[group] })).toMatchObject({
    stream_post_policy: policy,
    is_announcement_only: policy === 2,
  });
});

test('a permission with an unknown, deactivated or excluded group or user is refused', async () => {
  await using chat = await startTestChat();
  const { hamlet } = chat.people;
  const { kysely } = chat.server.app.db;
  const groups = await groupIds(chat);
  const gone = await kysely
    .insertInto('user_group')
    .values({ realm_id: chat.realm.id, name: 'gone', deactivated: true })
    .returning('id')
    .executeTakeFirstOrThrow();
  const set = (value: unknown) =>
    made(hamlet, { can_subscribe_group: value as Settings['can_subscribe_group'] });
  await expect(set(999_999)).rejects.toMatchObject(refusedWith('Invalid user group'));
  await expect(set(gone.id)).rejects.toMatchObject(refusedWith('Invalid user group'));
  await expect(set({ direct_members: [999_999], direct_subgroups: [] })).rejects.toMatchObject(
    refusedWith('Invalid user ID 999999'),
  );
  const excluded = async (group: SystemGroup) => {
    const message = `'can_subscribe_group' cannot be set to the group '${group}'.`;
    await expect(set(groups[group])).rejects.toMatchObject(refusedWith(message));
    await expect(
      set({ direct_members: [hamlet.user.id], direct_subgroups: [groups[group]] }),
    ).rejects.toMatchObject(refusedWith(message));
  };
  await excluded('role:internet');
  await excluded('role:everyone');
  const { can_administer_channel_group: anonymous } = await kysely
    .selectFrom('channel')
    .select('can_administer_channel_group')
    .where('id', '=', (await made(hamlet)).stream_id)
    .executeTakeFirstOrThrow();
  await expect(set(anonymous)).rejects.toMatchObject(refusedWith('Invalid user group'));
});

test('permissions to delete messages require can_set_delete_message_policy_group', async () => {
  await using chat = await startTestChat();
  const { hamlet, shiva } = chat.people;
  const groups = await groupIds(chat);
  const settings = { can_delete_own_message_group: groups['role:everyone'] };
  await expect(made(hamlet, settings)).rejects.toMatchObject(insufficient);
  expect(await made(shiva, settings)).toMatchObject(settings);
  const nobody = groups['role:nobody'];
  for (const can_delete_own_message_group of [
    nobody,
    { direct_members: [], direct_subgroups: [] },
    { direct_members: [], direct_subgroups: [nobody] },
  ])
    expect(await made(hamlet, { can_delete_own_message_group })).toMatchObject({
      can_delete_own_message_group: nobody,
    });
});

test('a new default channel is announced by default_streams to all but guests', async () => {
  await using chat = await startTestChat();
  const { iago, hamlet, polonius } = chat.people;
  const queues = [await listen(hamlet), await listen(polonius)];
  const { stream_id } = await made(iago, { is_default_stream: true });
  await made(iago);
  const { realm_default_streams } = await hamlet.client.queues.register({
    fetch_event_types: ['default_streams'],
  });
  expect(realm_default_streams).toContain(stream_id);
  const announced = queues.map((queue) => queue.events('default_streams'));
  expect(await Promise.all(announced)).toMatchObject([
    [{ type: 'default_streams', default_streams: realm_default_streams }],
    [],
  ]);
});
