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

/** Clients that lack one capability, all of them, or ask in another way; each of another reader. */
const variantsOf = ({ people }: TestChat): Variant[] => {
  const lacking = Object.keys(allCapabilities).map(
    (name) =>
      [
        `every capability but ${name}`,
        { client_capabilities: { ...allCapabilities, [name]: false } },
      ] as const,
  );
  const others = [
    ['no capability', { client_capabilities: {} }],
    ['no subscribers and raw Markdown', { include_subscribers: false, apply_markdown: false }],
    ['gravatars', { client_gravatar: true }],
    ['slim presence', { slim_presence: true }],
  ] as const;
  return [...lacking, ...others].map(([title, registration], index) => ({
    title,
    registration,
    reader: people[readers[index % readers.length] ?? 'iago'],
  }));
};

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
  states = new WatchedStates(people, {}, variantsOf(chat));
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
  const events = await expectEventsMatchState([cordelia, polonius], () =>
    hamlet.client.subscriptions.add({ subscriptions: [{ name: 'secret' }], invite_only: true }),
  );
  expect(events).toEqual([[], []]);
});
