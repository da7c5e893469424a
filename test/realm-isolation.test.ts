import { createClient } from '@bellhop/client';
import { recordStatements } from '@bellhop/postgres/testing';
import { api, type Endpoint, roles } from '@bellhop/protocol';
import type { Sample } from '@bellhop/server/contract-fixtures';
import { createRealm, createUser, type Tables } from '@bellhop/server/provision';
import { type Person, startTestChat, type TestChat } from '@bellhop/server/testing';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

import { checkStatements } from './support/check-statements.ts';
import { fetchAsHost } from './support/fetch-as-host.ts';
import { freezeAccounts } from './support/freeze-accounts.ts';
import { jsonTypes } from './support/json-types.ts';
import { sendRequest, requestOf } from './support/raw-request.ts';
import { sampleOf, sampleValues, SpareSample } from './support/sample-parameters.ts';
import { validValues } from './support/valid-values.ts';

const endpoints: Endpoint[] = Object.values(api).flatMap((resource) => Object.values(resource));
const byRoute = endpoints.map((endpoint) => [endpoint.route, endpoint] as const);

const HERE = 'chat.test';
const THERE = 'there.chat.test';
/** A word that only people of the other realm may read and nobody sends in this one. */
const MARK = 'Elsinore';

interface OtherRealm {
  readonly realm_id: number;
  readonly person: { readonly email: string; readonly api_key: string };
  readonly queue: { readonly queue_id: string; readonly last_event_id: string };
  /** Ids and names of its users, channels, messages and files. */
  readonly numbers: readonly number[];
  readonly texts: readonly string[];
}
let chat: TestChat;
let owner: Person;
let bot: { readonly email: string; readonly api_key: string };
let there: OtherRealm;
let before: Record<string, unknown>;
const statements = recordStatements();

beforeAll(async () => {
  chat = await startTestChat();
  await freezeAccounts(chat);
  owner = chat.people.desdemona;
  await chat.addPerson('horatio', roles.member, { password: 'a long password 4' });
  await owner.client.subscriptions.add({ subscriptions: [{ name: 'verona' }] });
  const { api_key } = await owner.client.bots.create({ full_name: 'Bot', short_name: 'here' });
  bot = { email: `here-bot@${HERE}`, api_key };
  there = await seedOtherRealm();
  before = await everythingThere();
});
// An ID of the other realm may also be that of a channel here, which the owner archives with it.
afterEach(() =>
  chat.server.app.db.kysely
    .updateTable('channel')
    .set({ is_archived: false })
    .where('realm_id', '=', chat.realm.id)
    .execute(),
);
afterAll(async () => {
  statements[Symbol.dispose]();
  await chat[Symbol.asyncDispose]();
});

/** Creates another realm with people, channels and messages, some with names that this realm has too. */
async function seedOtherRealm(): Promise<OtherRealm> {
  const { db, secrets } = chat.server.app;
  const { realm_id, users } = await db.transaction(async (tx) => {
    const id = await createRealm(
      tx,
      { secrets, externalHost: HERE },
      { subdomain: 'there', name: MARK },
    );
    const realm = { ...chat.realm, id, subdomain: 'there' };
    const made = [];
    for (const [name, role] of [
      ['desdemona', roles.owner],
      ['hamlet', roles.member],
    ] as const)
      made.push(
        await createUser(
          tx,
          { realm, secrets },
          { email: `${name}@${HERE}`, full_name: `${name} of ${MARK}`, role },
        ),
      );
    return { realm_id: id, users: made };
  });
  chat.server.app.realms.forget();
  const [first, second] = users;
  if (!first || !second) throw new Error('nobody');
  const person = { email: `desdemona@${HERE}`, api_key: first.api_key };
  const say = async (route: `${'GET' | 'POST'} /${string}`, sample: Sample) => {
    const endpoint = endpoints.find((one) => one.route === route);
    if (!endpoint) throw new Error(`no ${route}`);
    const request = requestOf(endpoint, sample);
    const { body } = await sendRequest(chat.url, { ...request, host: THERE, credentials: person });
    expect(body).toMatchObject({ result: 'success' });
    return body;
  };
  for (const name of ['verona', 'only there'])
    await say('POST /users/me/subscriptions', {
      subscriptions: JSON.stringify([{ name, description: `about ${MARK}` }]),
    });
  const bot = await say('POST /bots', { full_name: `Bot of ${MARK}`, short_name: 'there' });
  const channel = await say('GET /get_stream_id', { stream: 'only there' });
  const message = await say('POST /messages', {
    type: 'channel',
    to: 'verona',
    topic: 'news',
    content: `/poll news of ${MARK}`,
  });
  const reaction = { message_id: String(message['id']), emoji_name: 'tada' };
  await say('POST /messages/{message_id}/reactions', reaction);
  const direct = await say('POST /messages', {
    type: 'direct',
    to: `[${second.user.id}]`,
    content: `secret of ${MARK}`,
  });
  const uploaded = await say('POST /user_uploads', {});
  const { attachments } = (await say('GET /attachments', {})) as {
    attachments: { id: number }[];
  };
  const groups = await db.kysely
    .selectFrom('user_group')
    .select('id')
    .where('realm_id', '=', realm_id)
    .execute();
  // It also has an object for each kind of parameter of any resource.
  const userThere = ({ user, api_key }: (typeof users)[number], name: string): Person => {
    const email = `${name}@${HERE}`;
    const client = createClient({
      url: chat.url,
      email,
      apiKey: api_key,
      fetch: fetchAsHost(THERE),
    });
    return { user, email, api_key, client };
  };
  const people = {
    ...chat.people,
    desdemona: userThere(first, 'desdemona'),
    iago: userThere(second, 'hamlet'),
  };
  const values = Object.values(await sampleValues({ ...chat, people }));
  const { queue_id, last_event_id } = await say('POST /register', {
    all_public_streams: 'true',
    fetch_event_types: '[]',
  });
  return {
    realm_id,
    person,
    queue: { queue_id: String(queue_id), last_event_id: String(last_event_id) },
    numbers: [
      second.user.id,
      bot['user_id'],
      channel['stream_id'],
      message['id'],
      direct['id'],
      groups[0]?.id,
      attachments[0]?.id,
      realm_id,
      ...values.filter((value) => typeof value === 'number'),
    ].map(Number),
    texts: [
      String(queue_id),
      'only there',
      ...String(uploaded['url']).split('/').slice(2),
      `there-bot@there.${HERE}`,
      `there-bot@${HERE}`,
      bot['api_key'] as string,
      ...values.filter((value) => typeof value === 'string'),
    ],
  };
}

const realmTables = async (): Promise<string[]> => {
  const { rows } = await sql<{
    table_name: string;
  }>`select table_name from information_schema.columns
    where table_schema = 'public' and column_name = 'realm_id' order by table_name`.execute(
    chat.server.app.db.kysely,
  );
  return rows.map(({ table_name }) => table_name);
};

/** The tables that jobs of the other realm change. */
const CHANGED_BY_JOBS = new Set(['event', 'mail_check', 'mail_count', 'missed_message']);

/** All rows of the other realm but what jobs change, such as the messages that a channel had lately. */
async function everythingThere(): Promise<Record<string, unknown>> {
  const { kysely } = chat.server.app.db;
  const found: Record<string, unknown> = {};
  for (const table of await realmTables()) {
    if (CHANGED_BY_JOBS.has(table)) continue;
    const { rows } =
      await sql<object>`select to_jsonb(t) - 'recent_messages' as row from ${sql.table(table as keyof Tables)} t
      where realm_id = ${there.realm_id} order by to_jsonb(t)::text`.execute(kysely);
    found[table] = rows;
  }
  return found;
}

describe('an API key used at another realm', () => {
  test.each(byRoute.filter(([, { access }]) => access !== 'anyone'))(
    'is refused by %s',
    async (_route, endpoint) => {
      const request = requestOf(endpoint, await sampleOf(endpoint, chat));
      for (const [host, credentials] of [
        [HERE, there.person],
        [THERE, owner],
      ] as const) {
        const { status, body } = await sendRequest(chat.url, { ...request, host, credentials });
        expect([host, status, body['code']]).toEqual([host, 401, 'UNAUTHORIZED']);
      }
    },
  );

  test('works at its own realm, where equal names belong to other users', async () => {
    const me = { method: 'GET', path: '/users/me' };
    const here = await sendRequest(chat.url, { ...me, host: HERE, credentials: owner });
    const other = await sendRequest(chat.url, {
      ...me,
      host: `${THERE}:4600`,
      credentials: there.person,
    });
    expect(here.body).toMatchObject({ result: 'success', user_id: owner.user.id });
    expect(other.body).toMatchObject({ full_name: `desdemona of ${MARK}` });
    expect(other.body['user_id']).not.toBe(here.body['user_id']);
    const nowhere = await sendRequest(chat.url, {
      ...me,
      host: 'nowhere.chat.test',
      credentials: owner,
    });
    expect([nowhere.status, nowhere.body['code']]).toEqual([404, 'NONEXISTENT_SUBDOMAIN']);
  });

  test.each([`${THERE}.`, `${THERE.toUpperCase()}.`, `${THERE}:80`, `${THERE}.:80`])(
    'is also at %s',
    async (host) => {
      const me = { method: 'GET', path: '/users/me', host };
      const found = await sendRequest(chat.url, { ...me, credentials: there.person });
      expect(found.body).toMatchObject({ full_name: `desdemona of ${MARK}` });
    },
  );
});

/** Every way to write something of the other realm as a parameter: ids and names alone for a plain text. */
function foreign(endpoint: Endpoint, name: string): string[] {
  const { numbers, texts } = there;
  const bare = [...new Set([...numbers.map(String), ...texts])];
  return [...jsonTypes(endpoint, name)].join() === 'string' ? bare : [...bare, ...foreignJson()];
}

function foreignJson(): string[] {
  const { numbers, texts } = there;
  const [user = 0, , channel = 0, message = 0, , group = 0] = numbers;
  const narrows = [
    ['sender', user],
    ['channel', channel],
    ['dm', [user]],
    ['dm-including', user],
    ['id', message],
    ['near', message],
    ['with', message],
    ['channel', 'only there'],
  ].map(([operator, operand]) => [{ operator, operand }]);
  return [
    ...[...new Set<unknown>([...numbers, ...texts])].map((one) => [one]),
    { direct_members: [user], direct_subgroups: [] },
    { direct_members: [], direct_subgroups: [group] },
    [{ name: 'only there' }],
    [{ id: channel, stream_id: channel, name: 'verona' }],
    ...narrows,
  ].map((value) => JSON.stringify(value));
}

describe('another realm', () => {
  test.each(byRoute)('is neither read nor addressed by %s', async (route, endpoint) => {
    const names = Object.keys(endpoint.params.shape);
    const credentials = endpoint.access === 'bot' ? bot : owner;
    const spare = new SpareSample((one) => sampleOf(one, chat));
    const ask = (params: Sample) =>
      sendRequest(chat.url, { ...requestOf(endpoint, params), host: HERE, credentials });
    const plain = await ask(await spare.of(endpoint));
    spare.answered(endpoint, plain);
    expect(plain.text).not.toContain(MARK);
    for (const name of names) {
      const sample = await spare.of(endpoint);
      const answers = await Promise.all(
        validValues(endpoint, sample, name, foreign(endpoint, name)).map((value) =>
          ask({ ...sample, dont_block: 'true', [name]: value }),
        ),
      );
      for (const answer of answers) {
        spare.answered(endpoint, answer);
        const about = `${route} ${name}: ${answer.text}`;
        expect(answer.status, about).toBeLessThan(500);
        expect(answer.text, about).not.toContain(MARK);
      }
    }
  });

  test('has the same rows after all requests', async () => {
    expect(await everythingThere()).toEqual(before);
  });

  test('receives no event of these requests', async () => {
    const { queue, person } = there;
    const path = `/events?${new URLSearchParams({ ...queue, dont_block: 'true' }).toString()}`;
    const { body } = await sendRequest(chat.url, {
      method: 'GET',
      path,
      host: THERE,
      credentials: person,
    });
    expect(body).toMatchObject({ result: 'success', events: [] });
    for (const realm of [chat.realm.id, there.realm_id]) {
      const { rows } = await sql`select e.seq, listener from event e, unnest(e.audience) listener
        where e.realm_id = ${realm} and (
          listener > 0 and not exists (
            select from realm_user u where u.id = listener and u.realm_id = ${realm})
          or listener < -1000000 and not exists (
            select from channel c where c.id = -1000000 - listener and c.realm_id = ${realm}))`.execute(
        chat.server.app.db.kysely,
      );
      expect(rows).toEqual([]);
    }
  });
});

describe('every statement', () => {
  test('of a request reads and writes tables of one given realm', async () => {
    const check = () => checkStatements(statements, chat.server.app.db.kysely);
    // The sweep is sent once a minute.
    await expect
      .poll(async () => (await check()).unneeded, { timeout: 90_000, interval: 3000 })
      .toEqual([]);
    const { checked, refused } = await check();
    expect(checked).toBeGreaterThan(300);
    expect(refused).toEqual([]);
  }, 120_000);
});
