import { listen, type Listening } from '@bellhop/http';
import { recordStatements } from '@bellhop/postgres/testing';
import { api, type Endpoint, events } from '@bellhop/protocol';
import { contractFixtures, type ContractStage } from '@bellhop/server/contract-fixtures';
import { startTestChat, type TestChat } from '@bellhop/server/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { checkStatements } from './support/check-statements.ts';
import { refuseUntoldSubscriptions } from './support/refuse-untold-subscriptions.ts';

const { declared: provocations } = await contractFixtures();
const endpoints: Endpoint[] = Object.values(api).flatMap((resource) => Object.values(resource));

let stage: ContractStage;
let listening: Listening;
const statements = recordStatements();

beforeAll(async () => {
  let answer: { status: number; body: object } | undefined;
  listening = await listen((request, response) => {
    const announced = { status: 200, body: { result: 'success', msg: '', realms: {} } };
    const { status, body } =
      (/\/notify$|\/traces\?/.test(request.url ?? '') && answer) || announced;
    request.resume();
    response.writeHead(status).end(JSON.stringify(body));
  });
  const bouncer = {
    answer: (status: number, body: object) => {
      answer = { status, body };
    },
    stop: () => listening.stop(0),
  };
  const env = {
    BELLHOP_BOUNCER_URL: listening.url,
    BELLHOP_BOUNCER_ORG_ID: '6f1b34d2-04b7-4a0c-a9ab-5b4ed0b1dd8b',
    BELLHOP_BOUNCER_ORG_KEY: 'k'.repeat(64),
  };
  const [chat, withoutBouncer] = await Promise.all([
    startTestChat({ env }),
    startTestChat({ env: { BELLHOP_UPLOAD_QUOTA_MIB: '0' } }),
  ]);
  await refuseUntoldSubscriptions(chat.server.app.db.kysely);
  stage = { chat, withoutBouncer, bouncer, crowd: await gatherCrowd(chat) };
});
afterAll(async () => {
  statements[Symbol.dispose]();
  await stage.chat[Symbol.asyncDispose]();
  await stage.withoutBouncer[Symbol.asyncDispose]();
  await listening.stop(0);
});

async function gatherCrowd(chat: TestChat) {
  const { iago, hamlet } = chat.people;
  const crowd = await Promise.all(
    Array.from({ length: 16 }, (_, number) => chat.addPerson(`person${number}`)),
  );
  await iago.client.subscriptions.add({
    subscriptions: [{ name: 'crowd' }, { name: 'verona' }],
    principals: [...crowd, iago, hamlet].map(({ user }) => user.id),
  });
  return crowd;
}

const isCode = (name: string) => name === name.toUpperCase();
const seen = () =>
  [stage.chat, stage.withoutBouncer].flatMap(({ seen: { emitted, failed } }) => [
    ...emitted,
    ...failed,
  ]);

describe('an error or event that the contract declares', () => {
  test.each(Object.entries(provocations))(
    '%s is caused by its call of a contract.fixture.ts',
    async (name, provoke) => {
      const [method, path, ...declared] = name.split(' ');
      const codes = declared.filter(isCode);
      if (codes.length > 0) await expect(provoke(stage)).rejects.toMatchObject({ code: codes[0] });
      else await provoke(stage);
      for (const one of declared) expect(seen()).toContain(`${method} ${path} ${one}`);
    },
  );

  test('has an entry in `declared` of a contract.fixture.ts', () => {
    const declared = endpoints.flatMap(({ route, errors, emits }) =>
      [...errors, ...emits].map((name) => `${route} ${name}`),
    );
    expect(declared.length).toBeGreaterThan(20);
    expect(declared.filter((name) => !seen().includes(name))).toEqual([]);
  });

  test('names every event that was sent', () => {
    const emits = endpoints.flatMap((endpoint) =>
      endpoint.emits.map((type) => `${endpoint.route} ${type}`),
    );
    expect(emits).toEqual(expect.arrayContaining([...stage.chat.seen.emitted]));
  });
});

test('every statement behind these errors and events reads and writes tables of one given realm', async () => {
  const { checked, refused } = await checkStatements(statements, stage.chat.server.app.db.kysely);
  expect(checked).toBeGreaterThan(300);
  expect(refused).toEqual([]);
});

test('what changed subscriptions behind these events told the log: the database refuses other changes', async () => {
  const untold = sql`update subscription set is_active = not is_active`;
  await expect(untold.execute(stage.chat.server.app.db.kysely)).rejects.toThrow(
    'The log does not say how user',
  );
});

test('every type of event is declared by an endpoint that sends it', () => {
  const emitted = endpoints.flatMap(({ emits }) => emits);
  // A waiting poll sends heartbeats, jobs bot_endpoint. Queues that do not request user_topic get
  // muted_topics instead.
  const others = ['bot_endpoint', 'heartbeat', 'muted_topics'];
  const unsent = Object.keys(events).filter((type) => !emitted.includes(type));
  expect(unsent.toSorted()).toEqual(others);
  expect(emitted.filter((type) => !Object.hasOwn(events, type))).toEqual([]);
});
