import { applyEvent } from '@bellhop/client';
import type { InitialState } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { type Person, startTestChat, type TestChat } from '../../../test-chat.fixture.ts';
import { unsubscribe } from '../channels.fixture.ts';
import { namesOf, recordEvents, subscribe } from './subscribing.fixture.ts';

/** The channels in the response of POST /register. */
async function stateOf({ client }: Person): Promise<InitialState> {
  const { streams, subscriptions, unsubscribed, never_subscribed } = await client.queues.register({
    fetch_event_types: ['stream', 'subscription'],
    event_types: [],
    include_subscribers: true,
    client_capabilities: { notification_settings_null: true },
  });
  return { streams, subscriptions, unsubscribed, never_subscribed };
}

/** Checks for each person: state before plus events equals state after. */
async function expectEventsMatchState(chat: TestChat, act: () => Promise<unknown>): Promise<void> {
  const before = new Map<string, InitialState>();
  for (const name of namesOf(chat.people)) before.set(name, await stateOf(chat.people[name]));
  const received = await recordEvents(chat, act, { include_subscribers: true });
  for (const name of namesOf(chat.people)) {
    const person = chat.people[name];
    const reader = { user_id: person.user.id, include_subscribers: true };
    const state = received[name].reduce(
      (known: InitialState, event) => applyEvent(known, event, reader),
      before.get(name) ?? {},
    );
    expect(state, name).toEqual(await stateOf(person));
  }
}

test('the state before plus the events of one change of subscriptions is the state after', async () => {
  await using chat = await startTestChat();
  const { desdemona, iago, shiva, hamlet, cordelia, polonius } = chat.people;
  const { kysely } = chat.server.app.db;
  await expectEventsMatchState(chat, () => subscribe(hamlet, ['public']));
  await expectEventsMatchState(chat, () => subscribe(cordelia, ['public', 'second']));
  await expectEventsMatchState(chat, () =>
    subscribe(hamlet, ['public', 'third'], { who: [polonius, iago] }),
  );
  await expectEventsMatchState(chat, () =>
    subscribe(hamlet, ['secret'], { invite_only: true, who: [hamlet, cordelia, polonius] }),
  );
  await expectEventsMatchState(chat, () => subscribe(hamlet, ['secret'], { who: [shiva] }));
  await expectEventsMatchState(chat, () =>
    subscribe(cordelia, ['run by Shiva'], {
      invite_only: true,
      can_administer_channel_group: { direct_members: [shiva.user.id], direct_subgroups: [] },
      can_subscribe_group: { direct_members: [hamlet.user.id], direct_subgroups: [] },
    }),
  );
  await expectEventsMatchState(chat, () => subscribe(hamlet, ['run by Shiva']));
  await expectEventsMatchState(chat, () =>
    subscribe(desdemona, ['empty of the owner'], { who: [cordelia] }),
  );
  const everybody = Object.values(chat.people).map(({ user }) => user.id);
  for (const { id } of await kysely.selectFrom('channel').select('id').execute())
    await unsubscribe(chat, id, ...everybody);
  await expectEventsMatchState(chat, () => subscribe(cordelia, ['public', 'second']));
  await expectEventsMatchState(chat, () =>
    subscribe(desdemona, ['public'], { who: [polonius, desdemona] }),
  );
});

test('the state before plus the events of concurrent changes is the state after', async () => {
  await using chat = await startTestChat();
  const { iago, shiva, hamlet, cordelia, polonius } = chat.people;
  await subscribe(hamlet, ['open']);
  await subscribe(hamlet, ['closed'], { invite_only: true });
  await expectEventsMatchState(chat, () =>
    Promise.all([
      ...[polonius, iago, shiva, cordelia].map((one) =>
        subscribe(hamlet, ['closed', 'open'], { who: [one] }),
      ),
      ...[iago, shiva, cordelia].map((one) => subscribe(one, ['open', 'new'])),
    ]),
  );
});
