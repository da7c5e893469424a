import { expect, test } from 'vitest';

import { systemGroupIds } from '../../../model/user-groups/queries.ts';
import { startTestChat } from '../../../test-chat.fixture.ts';
import { recordEvents, subscribe } from './subscribing.fixture.ts';

test('a missing channel is created with every key, and its creator administers it', async () => {
  const now = 1_800_000_000;
  await using chat = await startTestChat({ now: () => now });
  const { hamlet } = chat.people;
  const { client, user } = hamlet;
  const answer = await client.subscriptions.add({
    subscriptions: [{ name: ' Verona ', description: 'a **city**\n in Italy', color: '#ABCDEF' }],
  });
  expect(answer).toMatchObject({
    subscribed: { [user.id]: ['Verona'] },
    already_subscribed: {},
    new_subscription_messages_sent: true,
  });
  expect(answer).not.toHaveProperty('unauthorized');
  const { subscriptions } = await client.subscriptions.list({ include_subscribers: true });
  const [verona] = subscriptions;
  const groups = await systemGroupIds(chat.server.app.db.kysely, chat.realm.id);
  expect(verona).toEqual({
    stream_id: expect.any(Number),
    name: 'Verona',
    description: 'a **city** in Italy',
    rendered_description: '<p>a <strong>city</strong> in Italy</p>',
    date_created: now,
    creator_id: user.id,
    invite_only: false,
    is_web_public: false,
    is_archived: false,
    history_public_to_subscribers: true,
    message_retention_days: null,
    first_message_id: expect.any(Number),
    is_recently_active: true,
    stream_weekly_traffic: null,
    subscriber_count: 1,
    folder_id: null,
    topics_policy: 'inherit',
    stream_post_policy: 1,
    is_announcement_only: false,
    can_add_subscribers_group: expect.any(Number),
    can_administer_channel_group: { direct_members: [user.id], direct_subgroups: [] },
    can_delete_any_message_group: expect.any(Number),
    can_delete_own_message_group: expect.any(Number),
    can_move_messages_out_of_channel_group: expect.any(Number),
    can_move_messages_within_channel_group: expect.any(Number),
    can_remove_subscribers_group: expect.any(Number),
    can_resolve_topics_group: expect.any(Number),
    can_send_message_group: expect.any(Number),
    can_subscribe_group: expect.any(Number),
    can_create_topic_group: groups['role:everyone'],
    color: '#abcdef',
    is_muted: false,
    in_home_view: true,
    pin_to_top: false,
    audible_notifications: null,
    desktop_notifications: null,
    email_notifications: null,
    push_notifications: null,
    wildcard_mentions_notify: null,
    subscribers: [user.id],
  });
});

test('an existing channel is found in any letter case and subscribed to once', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  await subscribe(hamlet, ['Verona']);
  const answer = await subscribe(cordelia, ['VERONA', 'verona ', 'Rome']);
  expect(answer.subscribed).toEqual({ [cordelia.user.id]: ['Verona', 'Rome'] });
  const again = await subscribe(cordelia, ['veronA', 'Milan']);
  expect(again).toMatchObject({
    subscribed: { [cordelia.user.id]: ['Milan'] },
    already_subscribed: { [cordelia.user.id]: ['Verona'] },
  });
});

test('subscribing again restores the settings of the former subscription', async () => {
  await using chat = await startTestChat();
  const { hamlet } = chat.people;
  await subscribe(hamlet, ['Verona']);
  await hamlet.client.subscriptions.remove({ subscriptions: ['Verona'] });
  const { kysely } = chat.server.app.db;
  await kysely
    .updateTable('subscription')
    .set({ is_muted: true, color: '#123456', push_notifications: true })
    .execute();
  expect((await hamlet.client.subscriptions.list({})).subscriptions).toEqual([]);
  const received = await recordEvents(chat, () =>
    hamlet.client.subscriptions.add({ subscriptions: [{ name: 'verona', color: '#ffffff' }] }),
  );
  const settings = {
    color: '#123456',
    is_muted: true,
    in_home_view: false,
    push_notifications: true,
  };
  expect(received.hamlet).toMatchObject([{ op: 'add', subscriptions: [settings] }]);
  expect((await hamlet.client.subscriptions.list({})).subscriptions).toMatchObject([settings]);
});

test('each new subscription gets an unused colour while there is one', async () => {
  await using chat = await startTestChat();
  const { hamlet } = chat.people;
  const names = Array.from({ length: 30 }, (_, at) => `channel ${at}`);
  await subscribe(hamlet, names.slice(0, 12));
  await subscribe(hamlet, names.slice(12));
  const { subscriptions } = await hamlet.client.subscriptions.list({});
  const colors = subscriptions.map(({ color }) => color);
  expect(new Set(colors.slice(0, 24)).size).toBe(24);
  expect(colors.slice(24)).toEqual(colors.slice(0, 6));
});

test('principals are user ids, real e-mail addresses or those of the API', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia, shiva, polonius } = chat.people;
  await chat.server.app.db.kysely
    .updateTable('realm_user')
    .set({ settings: JSON.stringify({ email_address_visibility: 3 }) })
    .where('id', '=', polonius.user.id)
    .execute();
  await subscribe(hamlet, ['Verona'], { who: [cordelia] });
  await chat.server.app.db.kysely
    .updateTable('realm_user')
    .set({ settings: JSON.stringify({ email_address_visibility: 3 }) })
    .where('id', '=', polonius.user.id)
    .execute();
  const { subscribed } = await hamlet.client.subscriptions.add({
    subscriptions: [{ name: 'Verona' }],
    principals: [shiva.email.toUpperCase(), `user${polonius.user.id}@chat.test`],
  });
  expect(subscribed).toEqual({ [shiva.user.id]: ['Verona'], [polonius.user.id]: ['Verona'] });
});

test('two users who create the same channel at once subscribe to one channel', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia, shiva } = chat.people;
  await Promise.all(
    [hamlet, cordelia, shiva].map((person, at) => subscribe(person, [['X', 'x', 'X'][at] ?? ''])),
  );
  const { streams } = await hamlet.client.channels.list({});
  expect(streams).toHaveLength(1);
  expect(streams[0]?.subscriber_count).toBe(3);
});

test('null stands for an optional parameter, colour or description that is not given', async () => {
  await using chat = await startTestChat();
  const { hamlet } = chat.people;
  const { status, body } = await chat.ask(hamlet, 'POST /users/me/subscriptions', {
    subscriptions: '[{"name":"nulls","color":null,"description":null}]',
    principals: 'null',
    history_public_to_subscribers: 'null',
    folder_id: 'null',
    can_administer_channel_group: 'null',
  });
  expect([status, body]).toMatchObject([200, { subscribed: { [hamlet.user.id]: ['nulls'] } }]);
  const { subscriptions } = await hamlet.client.subscriptions.list({});
  expect(subscriptions.find(({ name }) => name === 'nulls')).toMatchObject({
    color: expect.stringMatching(/^#/),
    description: '',
    can_administer_channel_group: { direct_members: [hamlet.user.id], direct_subgroups: [] },
  });
});
