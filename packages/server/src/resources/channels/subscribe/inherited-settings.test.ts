import { applyEvent } from '@bellhop/client';
import type { Api, AskOf, InitialState, QueuedEvent } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { commitTogether } from '../../../commit-together.fixture.ts';
import { type Person, startTestChat } from '../../../test-chat.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';

type Capabilities = AskOf<Api['queues']['register']>['client_capabilities'];

const stateOf = ({ client }: Person, client_capabilities: Capabilities): Promise<InitialState> =>
  client.queues.register({
    fetch_event_types: ['subscription'],
    event_types: [],
    client_capabilities,
  });

test.each([[{}], [{ archived_channels: true }], [{ notification_settings_null: true }]])(
  'the state of channels plus the events of a setting that they inherit is the state after, with %j',
  async (client_capabilities: NonNullable<Capabilities>) => {
    await using chat = await startTestChat();
    const { hamlet } = chat.people;
    const { channels, subscriptions, settings } = hamlet.client;
    const names = ['inherits', 'has its own', 'left', 'archived'];
    await subscriptions.add({ subscriptions: names.map((name) => ({ name })) });
    const idOf = async (stream: string) => (await channels.id({ stream })).stream_id;
    const own = { property: 'push_notifications', value: false };
    await subscriptions.setProperties({
      subscription_data: [{ ...own, stream_id: await idOf('has its own') }],
    });
    await subscriptions.remove({ subscriptions: ['left'] });
    await chat.people.desdemona.client.channels.archive({ stream_id: await idOf('archived') });

    const before = await stateOf(hamlet, client_capabilities);
    const queue = await listen(hamlet, { event_types: ['subscription'], client_capabilities });
    await settings.update({
      enable_stream_push_notifications: true,
      wildcard_mentions_notify: false,
      enable_sounds: false,
    });
    const events = (await queue.all()) as unknown as QueuedEvent[];
    const after = events.reduce<InitialState>(
      (state, event) => applyEvent(state, event, { user_id: hamlet.user.id }),
      before,
    );
    const { subscriptions: current, unsubscribed } = await stateOf(hamlet, client_capabilities);
    expect(after).toMatchObject({ subscriptions: current, unsubscribed });
    if (client_capabilities.notification_settings_null) expect(events).toEqual([]);
  },
);

test('a new subscription inherits the value of a setting that changes at the same time', async () => {
  await using chat = await startTestChat();
  const { hamlet } = chat.people;
  const queue = await listen(hamlet, { event_types: ['subscription'] });
  await commitTogether(chat, [
    () => hamlet.client.settings.update({ enable_stream_push_notifications: true }),
    () => hamlet.client.subscriptions.add({ subscriptions: [{ name: 'new' }] }),
  ]);
  expect(await queue.all()).toMatchObject([
    { op: 'add', subscriptions: [{ name: 'new', push_notifications: true }] },
  ]);
});
