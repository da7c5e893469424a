import type { UserGroupId } from '@bellhop/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Tx } from '../../engine/call.ts';
import { viewersOf } from '../../model/channels/channel-rows.ts';
import { isInGroup } from '../../model/user-groups/access.ts';
import {
  groupsOf,
  directGroups,
  fullMembers,
  membersOf,
  named,
  systemGroupIds,
} from '../../model/user-groups/queries.ts';
import { type Person, startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { addChannel } from '../channels/channels.fixture.ts';
import { listen } from '../queues/listen.fixture.ts';
import { announceFullMembersOfAll } from './announce-full-members.ts';

const WAITING_DAYS = 3;
let chat: TestChat;
let full: UserGroupId;
/** A private channel that full members may subscribe to. */
let channel: number;

beforeAll(async () => {
  chat = await startTestChat();
  const { kysely } = chat.server.app.db;
  full = (await systemGroupIds(kysely, chat.realm.id))['role:fullmembers'];
  channel = await addChannel(chat, {
    name: 'veterans',
    subscribers: [],
    invite_only: true,
    can_subscribe_group: full,
  });
});
afterAll(() => chat[Symbol.asyncDispose]());

const setPeriod = (waiting_period_threshold: number) =>
  chat.people.desdemona.client.realms.update({ waiting_period_threshold });

/** Runs work in a transaction, in which time stands still, and rolls it back. */
async function frozen<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  let result: T | undefined;
  const stop = new Error('rolled back');
  await chat.server.app.db
    .transaction(async (tx) => {
      result = await work(tx);
      throw stop;
    })
    .catch((error: unknown) => {
      if (error !== stop) throw error;
    });
  return result as T;
}

/** Every place that decides whether a user is a full member. */
const questions: Record<string, (tx: Tx, person: Person) => Promise<boolean>> = {
  groupHasUser: (tx, { user }) => isInGroup(tx, user, full),
  membersOf: async (tx, { user }) => (await membersOf(tx, user.realm_id, [full])).includes(user.id),
  groupsOf: async (tx, { user }) => (await groupsOf(tx, user)).has(full),
  'the viewers of a channel': async (tx, { user }) => {
    const viewers = await viewersOf(tx, user.realm_id, [channel as never]);
    return viewers.get(channel as never)?.includes(user.id) ?? false;
  },
};
/** The places that show a member as a direct member of the group. */
const lists: typeof questions = {
  'the members in the API': async (tx, { user }) =>
    (await named(tx, user.realm_id, [full])).some(({ role_ids }) => role_ids.includes(user.id)),
  'the groups of the user in events': async (tx, { user }) =>
    (await directGroups(tx, user)).includes(full),
  'the members of a changed waiting period': async (tx, { user }) =>
    (await fullMembers(tx, user.realm_id)).includes(user.id),
};

describe.each([
  ['a moment less than the waiting period', '-1 microsecond', false],
  ['exactly the waiting period', '0', true],
  ['a moment more than the waiting period', '1 microsecond', true],
])('a member who joined %s ago', (_title, more, isFull) => {
  test.each(Object.keys({ ...questions, ...lists }))(
    `${isFull ? 'is' : 'is not yet'} a full member for %s`,
    async (place) => {
      const { hamlet } = chat.people;
      const answer = await frozen(async (tx) => {
        await sql`update realm set waiting_period_days = ${WAITING_DAYS}`.execute(tx);
        await sql`update realm_user set date_joined = now()
          - ${WAITING_DAYS} * interval '1 day' - ${more}::interval`.execute(tx);
        return { ...questions, ...lists }[place]?.(tx, hamlet);
      });
      expect(answer).toBe(isFull);
    },
  );
});

test.each([
  ['desdemona', true],
  ['iago', true],
  ['shiva', true],
  ['hamlet', false],
  ['polonius', false],
] as const)('the waiting period holds for members only: %s', async (name, isFull) => {
  await setPeriod(WAITING_DAYS);
  for (const [place, ask] of Object.entries(questions))
    if (place !== 'the viewers of a channel' || name !== 'iago')
      expect(await frozen((tx) => ask(tx, chat.people[name])), place).toBe(isFull);
  await setPeriod(0);
});

test('a new member has no permission of full members until the waiting period is shortened', async () => {
  const { desdemona, cordelia } = chat.people;
  await desdemona.client.realms.update({ can_create_public_channel_group: { new: full } });
  await setPeriod(WAITING_DAYS);
  const create = (name: string) =>
    cordelia.client.channels.create({ name, subscribers: [cordelia.user.id] });
  await expect(create('early')).rejects.toMatchObject({ message: 'Insufficient permission' });
  await setPeriod(0);
  await create('late');
});

test('a user who becomes a full member by time is announced once', async () => {
  const person = await chat.addPerson('veteran');
  await setPeriod(WAITING_DAYS);
  const queue = await listen(chat.people.iago, { event_types: ['user_group'] });
  const own = await listen(person, { event_types: ['stream'] });
  const run = () => announceFullMembersOfAll.run({}, chat.server.app, {} as never);
  await run();
  expect(await queue.all()).toEqual([]);
  expect(await own.all()).toEqual([]);
  await chat.server.app.db.kysely
    .updateTable('realm_user')
    .set({ date_joined: sql<Date>`now() - ${WAITING_DAYS} * interval '1 day'` })
    .where('id', '=', person.user.id)
    .execute();
  for (const _again of [1, 2]) await run();
  expect(await queue.all()).toMatchObject([
    { type: 'user_group', op: 'add_members', group_id: full, user_ids: [person.user.id] },
  ]);
  expect(await own.all()).toMatchObject([
    { type: 'stream', op: 'create', streams: [{ name: 'veterans' }] },
  ]);
  await setPeriod(0);
});

test('a changed waiting period hides a private channel of full members and shows it again', async () => {
  const { hamlet, shiva, iago, polonius } = chat.people;
  const queues = await Promise.all(
    [hamlet, shiva, iago, polonius].map((one) => listen(one, { event_types: ['stream'] })),
  );
  const seen = () => Promise.all(queues.map(async (queue) => await queue.all()));
  await setPeriod(WAITING_DAYS);
  const gone = { type: 'stream', op: 'delete', stream_ids: [channel] };
  expect(await seen()).toMatchObject([[gone], [], [], []]);
  await setPeriod(0);
  const back = { type: 'stream', op: 'create', streams: [{ stream_id: channel }] };
  expect(await seen()).toMatchObject([[back], [], [], []]);
});

test('without a waiting period, a member is a full member also in a transaction that began before they joined', async () => {
  await setPeriod(0);
  await chat.server.app.db.transaction(async (tx) => {
    await sql`select now()`.execute(tx);
    const { user } = await chat.addPerson('newcomer');
    expect(await fullMembers(tx, chat.realm.id)).toContain(user.id);
  });
});
