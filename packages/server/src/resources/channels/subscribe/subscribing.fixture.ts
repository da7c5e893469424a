import type { QueuedEvent, RealmGroupSetting, RealmId, SystemGroup } from '@bellhop/protocol';

import { systemGroupIds } from '../../../model/user-groups/queries.ts';
import type { Person, TestChat } from '../../../test-chat.fixture.ts';
import { listen } from '../../queues/listen.fixture.ts';

type Name = keyof TestChat['people'];
export type ReceivedEvents = Record<Name, QueuedEvent[]>;

/** The `stream` and `subscription` events that each person receives while `act` runs. */
export async function recordEvents(
  { people }: TestChat,
  act: () => Promise<unknown>,
  registration: object = {},
): Promise<ReceivedEvents> {
  const queues = await Promise.all(
    namesOf(people).map(async (name) => {
      const queue = await listen(people[name], {
        event_types: ['stream', 'subscription'],
        client_capabilities: { notification_settings_null: true },
        ...registration,
      });
      return { name, queue };
    }),
  );
  await act();
  const received: Partial<ReceivedEvents> = {};
  for (const { name, queue } of queues)
    received[name] = (await queue.all()) as unknown as QueuedEvent[];
  return received as ReceivedEvents;
}

export const namesOf = (people: Readonly<Record<Name, unknown>>) => Object.keys(people) as Name[];

/** Summaries of events: `stream create Verona`, `subscription add Verona`, `subscription peer_add`. */
export const summarize = (received: ReceivedEvents): Record<Name, string[]> =>
  Object.fromEntries(
    namesOf(received).map((name) => [name, received[name].map(summaryOf)]),
  ) as Record<Name, string[]>;

function summaryOf(event: QueuedEvent): string {
  if (event.type === 'stream' && event.op === 'create')
    return `stream create ${event.streams.map(({ name }) => name).join(' ')}`;
  if (event.type === 'subscription' && event.op === 'add')
    return `subscription add ${event.subscriptions.map(({ name }) => name).join(' ')}`;
  return 'op' in event ? `${event.type} ${event.op}` : event.type;
}

type SubscribeParams = Parameters<Person['client']['subscriptions']['add']>[0];

/** Subscribes as `person`, or the people in `who`; creates missing channels. */
export const subscribe = (
  person: Person,
  names: readonly string[],
  {
    who,
    ...options
  }: Omit<Partial<SubscribeParams>, 'principals'> & { who?: readonly Person[] } = {},
) =>
  person.client.subscriptions.add({
    subscriptions: names.map((name) => ({ name })),
    ...(who ? { principals: who.map(({ user }) => user.id) } : {}),
    ...options,
  });

/** The ids of the system groups, of this realm or another. */
export const groupIds = ({ server, realm }: TestChat, of: RealmId = realm.id) =>
  systemGroupIds(server.app.db.kysely, of);

/** Sets a permission of the realm to a system group. */
export async function setRealmGroup(
  chat: TestChat,
  setting: RealmGroupSetting,
  group: SystemGroup,
): Promise<void> {
  const { app } = chat.server;
  const { group_settings } = await app.realms.byId(chat.realm.id);
  const changed = { ...group_settings, [setting]: (await groupIds(chat))[group] };
  await app.db.kysely
    .updateTable('realm')
    .set({ group_settings: JSON.stringify(changed) })
    .where('id', '=', chat.realm.id)
    .execute();
  app.realms.forget();
}

/** Sets the settings of the realm and leaves its permissions. */
export async function setRealmSettings(chat: TestChat, settings: object): Promise<void> {
  await chat.server.app.db.kysely
    .updateTable('realm')
    .set({ settings: JSON.stringify(settings) })
    .where('id', '=', chat.realm.id)
    .execute();
  chat.server.app.realms.forget();
}
