import { expect, test } from 'vitest';

import { startTestChat } from '../../../test-chat.fixture.ts';
import { summarize, recordEvents, subscribe } from './subscribing.fixture.ts';

test('a new public channel is announced to everybody but guests', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  const create = 'stream create Verona';
  const other = [create, 'subscription peer_add', 'stream update'];
  const mine = [create, 'subscription add Verona', 'stream update'];
  expect(
    summarize(
      await recordEvents(chat, () => subscribe(hamlet, ['Verona'], { who: [hamlet, cordelia] })),
    ),
  ).toEqual({
    desdemona: other,
    iago: other,
    shiva: other,
    hamlet: mine,
    cordelia: mine,
    polonius: [],
  });
});

test('a new private channel is announced to its subscribers, administrators and members of its groups', async () => {
  await using chat = await startTestChat();
  const { shiva, hamlet, cordelia } = chat.people;
  const other = ['stream create secret', 'subscription peer_add', 'stream update'];
  const received = await recordEvents(chat, () =>
    subscribe(hamlet, ['secret'], {
      invite_only: true,
      can_subscribe_group: { direct_members: [shiva.user.id], direct_subgroups: [] },
    }),
  );
  expect(summarize(received)).toEqual({
    desdemona: other,
    iago: other,
    shiva: other,
    hamlet: ['stream create secret', 'subscription add secret', 'stream update'],
    cordelia: [],
    polonius: [],
  });
  const later = summarize(await recordEvents(chat, () => subscribe(shiva, ['secret'])));
  expect(later).toEqual({
    desdemona: ['subscription peer_add'],
    iago: ['subscription peer_add'],
    shiva: ['subscription add secret'],
    hamlet: ['subscription peer_add'],
    cordelia: [],
    polonius: [],
  });
  const joined = await recordEvents(chat, () => subscribe(hamlet, ['secret'], { who: [cordelia] }));
  expect(summarize(joined).cordelia).toEqual(['stream create secret', 'subscription add secret']);
  expect(joined.hamlet).toMatchObject([{ user_ids: [cordelia.user.id] }]);
});

test('a guest gets stream create together with the subscription', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia, polonius } = chat.people;
  await subscribe(hamlet, ['Verona']);
  const joined = summarize(
    await recordEvents(chat, () => subscribe(hamlet, ['Verona'], { who: [polonius] })),
  );
  expect(joined.polonius).toEqual(['stream create Verona', 'subscription add Verona']);
  expect(joined.cordelia).toEqual(['subscription peer_add']);
  const more = summarize(await recordEvents(chat, () => subscribe(cordelia, ['Verona', 'Rome'])));
  expect(more.polonius).toEqual(['subscription peer_add']);
});

test('subscribing a subscriber again emits no event', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  await subscribe(hamlet, ['Verona', 'Rome']);
  const received = await recordEvents(chat, () => subscribe(hamlet, ['Verona', 'Rome']));
  expect(Object.values(received).flat()).toEqual([]);
  const half = await recordEvents(chat, () =>
    subscribe(hamlet, ['Verona', 'Rome'], { who: [hamlet, cordelia] }),
  );
  expect(half.hamlet).toMatchObject([
    {
      op: 'peer_add',
      user_ids: [cordelia.user.id],
      stream_ids: [expect.any(Number), expect.any(Number)],
    },
  ]);
  expect(summarize(half).cordelia).toEqual(['subscription add Verona Rome']);
});

test('a subscription event shows each user only their own new subscriptions', async () => {
  await using chat = await startTestChat();
  const { hamlet, cordelia } = chat.people;
  await subscribe(cordelia, ['Rome']);
  await subscribe(hamlet, ['secret'], { invite_only: true });
  const received = await recordEvents(chat, () =>
    subscribe(hamlet, ['Rome', 'secret'], { who: [hamlet, cordelia] }),
  );
  expect(summarize(received).hamlet).toEqual(['subscription add Rome', 'subscription peer_add']);
  expect(summarize(received).cordelia).toEqual([
    'stream create secret',
    'subscription add secret',
    'subscription peer_add',
  ]);
});

test('subscribers and null settings are sent only to clients that support them', async () => {
  await using chat = await startTestChat();
  const { hamlet } = chat.people;
  await chat.server.app.db.kysely
    .updateTable('realm_user')
    .set({ settings: JSON.stringify({ enable_stream_push_notifications: true }) })
    .where('id', '=', hamlet.user.id)
    .execute();
  const plain = await recordEvents(chat, () => subscribe(hamlet, ['Verona']), {
    client_capabilities: {},
  });
  const added = plain.hamlet[1];
  expect(added).toMatchObject({
    subscriptions: [
      {
        audible_notifications: false,
        desktop_notifications: false,
        email_notifications: false,
        push_notifications: true,
        wildcard_mentions_notify: true,
      },
    ],
  });
  expect(added).not.toHaveProperty(['subscriptions', 0, 'subscribers']);
  const full = await recordEvents(chat, () => subscribe(hamlet, ['Rome']), {
    include_subscribers: 'partial',
  });
  expect(full.hamlet[1]).toMatchObject({
    subscriptions: [{ push_notifications: null, subscribers: [hamlet.user.id] }],
  });
});
