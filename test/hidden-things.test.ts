import { api, type Endpoint, roles } from '@bellhop/protocol';
import type { Sample } from '@bellhop/server/contract-fixtures';
import type { Tables } from '@bellhop/server/provision';
import { type Person, startTestChat, type TestChat } from '@bellhop/server/testing';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { freezeAccounts } from './support/freeze-accounts.ts';
import { jsonTypes } from './support/json-types.ts';
import { requestOf, sendRequest } from './support/raw-request.ts';
import { sampleOf } from './support/sample-parameters.ts';
import { validValues } from './support/valid-values.ts';

const endpoints: Endpoint[] = Object.values(api).flatMap((resource) => Object.values(resource));
const byRoute = endpoints.map((endpoint) => [endpoint.route, endpoint] as const);
const isRead = (route: string) => route.startsWith('GET ') || route === 'POST /register';
/** Parameters that name something of the caller: nothing is looked up, and a name can be in use. */
const OWN_NAMES = new Set(['full_name', 'short_name', 'fragment', 'alert_words']);

/** Something that a request names; both kinds have equally long ids and names. */
interface Named {
  readonly id: number;
  readonly name: string;
}
interface Pair {
  readonly hidden: Named;
  readonly missing: Named;
}

let chat: TestChat;
/** Sees neither the hidden users nor the hidden channel. */
let guest: Person;
/** Sees all users, and not the hidden channel. */
let member: Person;
const users: Pair[] = [];
const channels: Pair[] = [];
const messages: Pair[] = [];
/** A message of each caller in a channel that both are in. */
const own = new Map<Person, number>();

/** Ids that occur nowhere else in a response. The first ones of each kind are never used. */
const FIRST_IDS = { realm_user: 7_100_001, channel: 7_200_001, message: 7_300_001 } as const;
const UNUSED = 10;

beforeAll(async () => {
  chat = await startTestChat();
  await freezeAccounts(chat);
  const { desdemona, cordelia, polonius } = chat.people;
  guest = polonius;
  member = cordelia;
  const { kysely } = chat.server.app.db;
  for (const [table, first] of Object.entries(FIRST_IDS))
    await sql`alter table ${sql.table(table as keyof Tables)} alter column id
      restart with ${sql.lit(first + UNUSED)}`.execute(kysely);
  const stranger = await chat.addPerson('zenobia', roles.member, { password: 'a long password' });
  const gone = await chat.addPerson('zoraida');
  await kysely
    .updateTable('realm_user')
    .set({ is_active: false })
    .where('id', '=', gone.user.id)
    .execute();
  const missing = (kind: keyof typeof FIRST_IDS, name: string, at = 0) => ({
    id: FIRST_IDS[kind] + at,
    name,
  });
  users.push(
    {
      hidden: { id: stranger.user.id, name: 'zenobia' },
      missing: missing('realm_user', 'zelmira'),
    },
    { hidden: { id: gone.user.id, name: 'zoraida' }, missing: missing('realm_user', 'zerlina', 1) },
  );
  const add = (name: string, who: readonly Person[], invite_only: boolean) =>
    desdemona.client.subscriptions.add({
      subscriptions: [{ name }],
      principals: [desdemona, ...who].map(({ user }) => user.id),
      invite_only,
    });
  await add('secretplot', [stranger], true);
  const { stream_id } = await desdemona.client.channels.id({ stream: 'secretplot' });
  channels.push({
    hidden: { id: stream_id, name: 'secretplot' },
    missing: missing('channel', 'nosuchplot'),
  });
  const say = async ({ client }: Person, to: string) =>
    (await client.messages.send({ type: 'channel', to, topic: 'plans', content: 'x' })).id;
  messages.push({
    hidden: { id: await say(stranger, 'secretplot'), name: 'plans' },
    missing: missing('message', 'plans'),
  });
  // A message from before their time, in a channel that does not share its history.
  await add('vault', [], true);
  const { stream_id: vault } = await desdemona.client.channels.id({ stream: 'vault' });
  await desdemona.client.channels.update({
    stream_id: vault,
    history_public_to_subscribers: false,
  });
  messages.push({
    hidden: { id: await say(desdemona, 'vault'), name: 'plans' },
    missing: missing('message', 'plans', 1),
  });
  await add('vault', [guest, member], true);
  await add('square', [guest, member], false);
  for (const person of [guest, member]) own.set(person, await say(person, 'square'));
  const { 'role:members': members } = Object.fromEntries(
    (await kysely.selectFrom('user_group').select(['id', 'name']).execute()).map((group) => [
      group.name,
      group.id,
    ]),
  );
  const groups = { ...chat.realm.group_settings, can_access_all_users_group: members };
  await kysely
    .updateTable('realm')
    .set({
      group_settings: JSON.stringify(groups),
      settings: JSON.stringify({ enable_spectator_access: true }),
    })
    .execute();
  chat.server.app.realms.forget();
});
afterAll(() => chat[Symbol.asyncDispose]());

// A member who subscribes to the missing channel creates it: it must be missing again.
afterEach(async () => {
  const { kysely } = chat.server.app.db;
  const missing = channels.map((pair) => pair.missing.name);
  await kysely
    .updateTable('channel')
    .set((row) => ({ name: sql`${row.ref('name')} || ' ' || ${row.ref('id')}` }))
    .where('name', 'in', missing)
    .execute();
});

const narrow = (operator: string, operand: unknown) => JSON.stringify([{ operator, operand }]);

/** Every way in which a parameter can name a user, a channel or a message. */
const userForms = ({ id, name }: Named): string[] => [
  `${id}`,
  `[${id}]`,
  JSON.stringify({ direct_members: [id], direct_subgroups: [] }),
  `${name}@chat.test`,
  `["${name}@chat.test"]`,
  `user${id}@chat.test`,
  narrow('sender', id),
  narrow('sender', `${name}@chat.test`),
  narrow('dm', [id]),
  narrow('dm-including', id),
];
const channelForms = ({ id, name }: Named): string[] => [
  `${id}`,
  `[${id}]`,
  name,
  `["${name}"]`,
  JSON.stringify([{ name }]),
  narrow('channel', id),
  narrow('channel', name),
];
const messageForms = ({ id }: Named): string[] => [
  `${id}`,
  `[${id}]`,
  narrow('id', id),
  narrow('near', id),
  narrow('with', id),
];

/** Other parameters with which a request reaches the lookup of a user or a channel. */
const otherSamples: Readonly<Record<string, (person: Person) => Sample>> = {
  'POST /messages': () => ({ type: 'channel', to: 'square', topic: 'x', content: 'x' }),
  'POST /typing': () => ({ type: 'channel', op: 'start', topic: 'x', stream_id: '1' }),
  'PATCH /messages/{message_id}': (person) => ({ message_id: String(own.get(person)) }),
};

/** A client that needs complete lists gets these records of all hidden users, whatever it asks for. */
const UNKNOWN_USER =
  /\{"user_id":\d+,[^{}]*"full_name":"Unknown user"[^{}]*"profile_data":\{\}\},?/g;

/** A response without the things named in its request and without what differs from call to call. */
const withoutValues = (response: { status: number; text: string }, { id, name }: Named): string =>
  `${response.status} ${response.text}`
    .replaceAll(UNKNOWN_USER, '')
    .replaceAll(String(id), 'ID')
    .replaceAll(new RegExp(name, 'gi'), 'NAME')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|\b\w{32}\b/g, 'KEY')
    .replaceAll(/\d+(\.\d+)?/g, 'N');

/** A form of something hidden, and the same form of something missing. */
interface Question {
  readonly pair: Pair;
  readonly hidden: string;
  readonly missing: string;
}

type Looked = readonly (readonly [readonly Pair[], (named: Named) => readonly string[]])[];

const questionsAbout = (looked: Looked): Question[] =>
  looked.flatMap(([pairs, formsOf]) =>
    pairs.flatMap((pair) => {
      const missing = formsOf(pair.missing);
      return formsOf(pair.hidden).map((hidden, at) => ({
        pair,
        hidden,
        missing: missing[at] ?? '',
      }));
    }),
  );

type Ask = (value: string) => Promise<{ status: number; text: string }>;

/** A response about each form of a missing thing, whichever thing it is. */
class Baseline {
  readonly #ask: Ask;
  readonly #known = new Map<string, Promise<string>>();

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  now = async ({ missing, pair }: Question): Promise<string> =>
    withoutValues(await this.#ask(missing), pair.missing);

  first(question: Question): Promise<string> {
    const { id, name } = question.pair.missing;
    const form = question.missing.replaceAll(String(id), 'ID').replaceAll(name, 'NAME');
    const known = this.#known.get(form) ?? this.now(question);
    this.#known.set(form, known);
    return known;
  }
}

/**
 * The difference between a response about a hidden thing and those about missing ones: an earlier response
 * about any of them and two later ones about one of them, since the first of two requests may change the
 * response to the second (its name is in use then).
 */
async function difference(ask: Ask, question: Question, baseline: Baseline): Promise<string[]> {
  const before = await baseline.first(question);
  const actual = withoutValues(await ask(question.hidden), question.pair.hidden);
  if (actual === before || actual === (await baseline.now(question))) return [];
  const after = await baseline.now(question);
  return actual === after ? [] : [`${question.hidden}: ${actual}, but about nothing: ${after}`];
}

async function everyDifference(
  endpoint: Endpoint,
  person: Person | undefined,
  looked: Looked,
): Promise<string[]> {
  const different: string[] = [];
  const all = questionsAbout(looked);
  const other = person && otherSamples[endpoint.route]?.(person);
  for (const sample of [await sampleOf(endpoint, chat), ...(other ? [other] : [])])
    for (const name of Object.keys(endpoint.params.shape)) {
      if (OWN_NAMES.has(name)) continue;
      const ask = (value: string) =>
        sendRequest(chat.url, {
          ...requestOf(endpoint, { ...sample, dont_block: 'true', [name]: value }),
          host: 'chat.test',
          credentials: person,
        });
      const isText = [...jsonTypes(endpoint, name)].join() === 'string';
      const questions = isText ? all.filter(({ hidden }) => !/^[[{]/.test(hidden)) : all;
      const forms = questions.map(({ hidden }) => hidden);
      const valid = new Set(validValues(endpoint, sample, name, forms));
      const baseline = new Baseline(ask);
      const compare = async (question: Question) => {
        const found = await difference(ask, question, baseline);
        different.push(...found.map((one) => `${name}: ${one}`));
      };
      const asked = questions.filter(({ hidden }) => valid.has(hidden));
      if (isRead(endpoint.route)) await Promise.all(asked.map(compare));
      else for (const question of asked) await compare(question);
    }
  return different;
}

/** A name is taken or not: a member who may create channels learns that (decision 28). */
const TAKEN_NAME = /^(subscriptions|add): \[\{"name":"secretplot"\}\]: .*Unable to access channel/;

const callers = ['guest', 'member', 'spectator'] as const;
type Caller = (typeof callers)[number];

async function expectAlike(caller: Caller, endpoint: Endpoint): Promise<void> {
  const person = { guest, member, spectator: undefined }[caller];
  const different = await everyDifference(endpoint, person, [
    ...(caller === 'guest' ? [[users, userForms] as const] : []),
    [channels, channelForms],
    [messages, messageForms],
  ]);
  expect(different.filter((one) => !TAKEN_NAME.test(one))).toEqual([]);
}

// Reads first: later requests store texts that name the same things.
describe.each([true, false])('requests that only read: %s', (reads) => {
  // Spectators have no request that writes.
  describe.each(callers.filter((caller) => reads || caller !== 'spectator'))(
    'a hidden and a missing user, channel and message are alike for a %s',
    (caller) => {
      const routes = byRoute.filter(
        ([route, { access }]) =>
          isRead(route) === reads && (caller !== 'spectator' || access === 'optional'),
      );
      test.for(routes)('%s', { timeout: 60_000 }, ([, endpoint]) => expectAlike(caller, endpoint));
    },
  );
});
