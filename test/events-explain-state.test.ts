import { events as definitions, type EventType } from '@bellhop/protocol';
import { contractFixtures } from '@bellhop/server/contract-fixtures';
import { type Person, startTestChat, type TestChat } from '@bellhop/server/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  allCapabilities,
  expectEventsMatchState,
  type Variant,
  WatchedStates,
} from './support/expect-events-match-state.ts';

const readers = ['desdemona', 'iago', 'hamlet', 'polonius', 'cordelia'] as const;
const { changes } = await contractFixtures();
const seen = new Set<EventType>();

/**
 * Capabilities that one client lacks. Those of a line change different parts of the state and different
 * events, so that none hides what another one does.
 */
const lackedTogether: readonly (readonly (keyof typeof allCapabilities)[])[] = [
  ['notification_settings_null', 'empty_topic_name', 'linkifier_url_template'],
  ['user_settings_object', 'bulk_message_deletion', 'include_deactivated_groups'],
  ['archived_channels', 'simplified_presence_events'],
  ['user_list_incomplete', 'stream_typing_notifications'],
];

/** Clients that lack some capabilities, all of them, or ask in another way; each of another reader. */
const variantsOf = ({ people }: TestChat): Variant[] => {
  const lacking = lackedTogether.map((names) => {
    const off = Object.fromEntries(names.map((name) => [name, false]));
    return [
      `every capability but ${names.join(', ')}`,
      { client_capabilities: { ...allCapabilities, ...off } },
    ] as const;
  });
  const others = [
    ['no capability', { client_capabilities: {} }],
    [
      'no subscribers, raw Markdown, gravatars and slim presence',
      {
        include_subscribers: false,
        apply_markdown: false,
        client_gravatar: true,
        slim_presence: true,
      },
    ],
  ] as const;
  return [...lacking, ...others].map(([title, registration], index) => ({
    title,
    registration,
    reader: people[readers[index % readers.length] ?? 'iago'],
  }));
};

test('some client lacks each capability', () => {
  const lacked = lackedTogether.flat().toSorted();
  // Every client lacks this one: the data that it leaves out can be fetched only by another
  // request.
  const never = ['user_avatar_url_field_optional'];
  expect([...lacked, ...never].toSorted()).toEqual(Object.keys(allCapabilities).toSorted());
});

const idsOf = (...people: Person[]) => people.map(({ user }) => user.id);

/** A public channel that Cordelia is not in, and a private one of Iago alone. */
async function addChannels({ people }: TestChat): Promise<void> {
  const { desdemona, iago, hamlet, polonius } = people;
  await iago.client.subscriptions.add({
    subscriptions: [{ name: 'verona' }],
    principals: idsOf(desdemona, iago, hamlet, polonius),
  });
  await iago.client.subscriptions.add({ subscriptions: [{ name: 'council' }], invite_only: true });
}

let chat: TestChat;
let states: WatchedStates;
beforeAll(async () => {
  chat = await startTestChat();
  await addChannels(chat);
  const people = readers.map((name) => chat.people[name]);
  states = new WatchedStates(chat, people, variantsOf(chat));
});
afterAll(() => chat[Symbol.asyncDispose]());

test.each(Object.entries(changes))(
  'after %s, the events of every reader match the state of a new queue',
  async (_title, change) => {
    const events = await states.expectMatchAfter(() => change(chat));
    for (const { type } of events.flat()) seen.add(type);
  },
);

test('the changes of all contract.fixture.ts files send every type of event', () => {
  // Muted topics have tests of their own; only clients that lack a capability get
  // older events of settings; only consoles get those of deliveries and traces, which change no
  // state; waiting polls send the others.
  const elsewhere = [
    'bot_delivery',
    'bot_endpoint',
    'heartbeat',
    'muted_topics',
    'push_trace',
    'replay',
    'update_display_settings',
    'update_global_notifications',
  ];
  const unseen = Object.keys(definitions).filter((type) => !seen.has(type as EventType));
  expect(unseen.toSorted()).toEqual(elsewhere);
});

test('users outside a new private channel receive no event', async () => {
  const { hamlet, cordelia, polonius } = chat.people;
  const events = await expectEventsMatchState(chat, [cordelia, polonius], () =>
    hamlet.client.subscriptions.add({ subscriptions: [{ name: 'secret' }], invite_only: true }),
  );
  expect(events).toEqual([[], []]);
});
