import { expect, test } from 'vitest';

import { refusedWith } from '../../../expect-refused.fixture.ts';
import { createChannel } from '../../../model/channels/create/create-channel.ts';
import { createUser } from '../../../model/users/create-user.ts';
import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { createRealm } from '../../realms/create-realm.ts';
import { groupIds, setRealmGroup, subscribe } from './subscribing.fixture.ts';

const insufficient = { code: 'BAD_REQUEST', message: 'Insufficient permission' };

test.each([
  ['', "Channel name can't be empty."],
  [' \n', "Channel name can't be empty."],
  ['x'.repeat(61), 'Channel name too long (limit: 60 characters).'],
  ['a\u0007b', 'Invalid character in channel name, at position 2.'],
  ['\u{1F600}\uFFFF', 'Invalid character in channel name, at position 2.'],
])('the channel name %j is refused', async (name, message) => {
  await using chat = await startTestChat();
  await expect(subscribe(chat.people.hamlet, ['good', name])).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message,
  });
  expect((await chat.people.hamlet.client.channels.list({})).streams).toEqual([]);
});

test('a name of 60 astral characters and a description of 1024 characters are accepted', async () => {
  await using chat = await startTestChat();
  const { hamlet } = chat.people;
  const add = (name: string, length: number) =>
    hamlet.client.subscriptions.add({
      subscriptions: [{ name, description: 'd'.repeat(length) }],
    });
  await add('\u{1F600}'.repeat(60), 1024);
  await expect(add('other', 1025)).rejects.toMatchObject({
    message: 'Channel description too long (limit: 1024 characters).',
  });
});

test('an invalid colour, a folder and unknown users are refused', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  const add = (more: object) =>
    hamlet.client.subscriptions.add({ subscriptions: [{ name: 'x' }], ...more });
  await expect(add({ subscriptions: [{ name: 'x', color: 'red' }] })).rejects.toMatchObject(
    refusedWith('color is not a valid hex color code'),
  );
  await expect(add({ folder_id: 1 })).rejects.toMatchObject(
    refusedWith('Invalid channel folder ID'),
  );
  await expect(add({ principals: [999_999] })).rejects.toMatchObject(
    refusedWith('Invalid user ID 999999'),
  );
  await expect(add({ principals: ['nobody@chat.test'] })).rejects.toMatchObject(
    refusedWith("Invalid email 'nobody@chat.test'"),
  );
  await expect(add({ principals: ['notification-bot@chat.test'] })).rejects.toMatchObject(
    refusedWith('Notification Bot cannot be subscribed to channels'),
  );
  await chat.server.app.db.kysely
    .updateTable('realm_user')
    .set({ is_active: false })
    .where('id', '=', cordelia.user.id)
    .execute();
  await expect(add({ principals: [cordelia.user.id] })).rejects.toMatchObject(
    refusedWith(`User ${cordelia.user.id} is deactivated`),
  );
});

test('users and channels of another realm are not found', async () => {
  await using chat = await startTestChat();
  const { hamlet } = chat.people;
  const { app } = chat.server;
  const other = await app.db.transaction((tx) =>
    createRealm(
      tx,
      { secrets: app.secrets, externalHost: 'other.test' },
      { subdomain: 'other', name: 'Other' },
    ),
  );
  const realm = await app.realms.byId(other);
  const { stranger, channel } = await app.change(realm, async ({ db }) => ({
    channel: await createChannel(db, { realm, creator_id: null, now: 1 }, { name: 'Verona' }),
    stranger: (
      await createUser(
        db,
        { realm, secrets: app.secrets },
        { email: 'stranger@other.test', full_name: 'Stranger' },
      )
    ).user.id,
  }));
  await expect(
    hamlet.client.subscriptions.add({
      subscriptions: [{ name: 'x' }],
      principals: [stranger],
    }),
  ).rejects.toMatchObject({ message: `Invalid user ID ${stranger}` });
  await expect(hamlet.client.channels.id({ stream: 'Verona' })).rejects.toMatchObject({
    message: "Invalid channel name 'Verona'",
  });
  await subscribe(hamlet, ['Verona']);
  const { streams } = await hamlet.client.channels.list({});
  expect(streams).toHaveLength(1);
  expect(streams[0]?.stream_id).not.toBe(channel);
  const groups = await groupIds(chat, other);
  await expect(
    subscribe(hamlet, ['y'], { can_send_message_group: groups['role:members'] }),
  ).rejects.toMatchObject({ message: 'Invalid user group' });
});

test('nobody subscribes to a private channel that they may not read, administrators included', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia, desdemona } = chat.people;
  await subscribe(hamlet, ['secret'], { invite_only: true });
  for (const person of [cordelia, desdemona])
    await expect(subscribe(person, ['Secret', 'new'])).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'Unable to access channel (Secret).',
    });
  const { streams } = await hamlet.client.channels.list({});
  expect(streams.map(({ name }) => name)).toEqual(['secret']);
  expect(
    await subscribe(cordelia, ['Secret', 'new'], { authorization_errors_fatal: false }),
  ).toMatchObject({
    subscribed: { [cordelia.user.id]: ['new'] },
    already_subscribed: {},
    unauthorized: ['Secret'],
  });
});

test('subscribing to an archived channel is refused', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  await subscribe(hamlet, ['old']);
  await chat.server.app.db.kysely.updateTable('channel').set({ is_archived: true }).execute();
  await expect(subscribe(cordelia, ['old'])).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: "Channel 'old' is archived.",
  });
});

test('guests create no channel, subscribe to no public channel and add no other user', async () => {
  await using chat = await startTestChat();
  const { hamlet, polonius, cordelia } = chat.people;
  await expect(subscribe(polonius, ['new'])).rejects.toMatchObject(insufficient);
  await subscribe(hamlet, ['Verona', 'Rome']);
  await expect(subscribe(polonius, ['Verona'])).rejects.toMatchObject({
    message: 'Insufficient permission',
  });
  await subscribe(hamlet, ['Verona'], { who: [polonius] });
  expect(await subscribe(polonius, ['Verona'])).toMatchObject({
    already_subscribed: { [polonius.user.id]: ['Verona'] },
  });
  await expect(subscribe(polonius, ['Verona'], { who: [cordelia] })).rejects.toMatchObject(
    insufficient,
  );
  await expect(
    polonius.client.subscriptions.add({
      subscriptions: [{ name: 'Verona' }],
      principals: [999_999 as typeof polonius.user.id],
    }),
  ).rejects.toMatchObject({ message: 'Invalid user ID 999999' });
  await chat.server.app.db.kysely
    .updateTable('channel')
    .set({ is_web_public: true })
    .where('name', '=', 'Rome')
    .execute();
  expect(await subscribe(polonius, ['Rome'])).toMatchObject({
    subscribed: { [polonius.user.id]: ['Rome'] },
  });
});

test('settings of the realm decide who creates channels', async () => {
  await using chat = await startTestChat();
  const { hamlet, shiva } = chat.people;
  await setRealmGroup(chat, 'can_create_public_channel_group', 'role:moderators');
  await setRealmGroup(chat, 'can_create_private_channel_group', 'role:nobody');
  await expect(subscribe(hamlet, ['x'])).rejects.toMatchObject(insufficient);
  await subscribe(shiva, ['x']);
  await expect(subscribe(shiva, ['y'], { invite_only: true })).rejects.toMatchObject(insufficient);
});

test('adding others requires can_add_subscribers_group of the realm or of the channel', async () => {
  await using chat = await startTestChat();
  const { desdemona, iago, shiva, hamlet, cordelia, polonius } = chat.people;
  const one = (person: Person) => ({ direct_members: [person.user.id], direct_subgroups: [] });
  await subscribe(shiva, ['Verona'], {
    can_add_subscribers_group: one(hamlet),
    can_administer_channel_group: one(shiva),
  });
  await subscribe(desdemona, ['secret'], {
    invite_only: true,
    can_add_subscribers_group: one(hamlet),
  });
  await setRealmGroup(chat, 'can_add_subscribers_group', 'role:nobody');
  await expect(subscribe(cordelia, ['Verona'], { who: [polonius] })).rejects.toMatchObject(
    insufficient,
  );
  await expect(
    subscribe(cordelia, ['Verona'], { who: [polonius], authorization_errors_fatal: false }),
  ).rejects.toMatchObject(insufficient);
  await subscribe(cordelia, ['Verona'], { who: [cordelia] });
  await subscribe(hamlet, ['Verona'], { who: [polonius] });
  await subscribe(shiva, ['Verona'], { who: [iago] });
  await subscribe(iago, ['Verona'], { who: [desdemona] });
  await subscribe(hamlet, ['secret'], { who: [cordelia] });
  await expect(subscribe(cordelia, ['secret'], { who: [shiva] })).rejects.toMatchObject(
    insufficient,
  );
  expect(await namesSubscribed(chat)).toEqual({
    desdemona: ['Verona', 'secret'],
    iago: ['Verona'],
    shiva: ['Verona'],
    hamlet: [],
    cordelia: ['Verona', 'secret'],
    polonius: ['Verona'],
  });
});

async function namesSubscribed({ people }: TestChat): Promise<Record<string, string[]>> {
  const named = Object.entries(people).map(async ([name, { client }]) => {
    const { subscriptions } = await client.subscriptions.list({});
    return [name, subscriptions.map((one) => one.name).toSorted()] as const;
  });
  return Object.fromEntries(await Promise.all(named));
}
