import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import { api, type Endpoint, roles } from '@bellhop/protocol';
import { createRealm, createUser } from '@bellhop/server/provision';
import { startTestChat, type TestChat } from '@bellhop/server/testing';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';

import { databaseDigest } from './support/database-digest.ts';
import { expectDocumentedResponse } from './support/expect-response.ts';
import { freezeAccounts } from './support/freeze-accounts.ts';
import { freezePermissions } from './support/freeze-permissions.ts';
import { mutate, mutations } from './support/random-requests.ts';
import {
  type RawRequest,
  type RawResponse,
  requestOf,
  sendRequest,
} from './support/raw-request.ts';
import { sampleOf } from './support/sample-parameters.ts';

/** `npm run random` sends 20,000. */
const REQUESTS = process.env['MODE'] === 'long' ? 20_000 : 300;
/** On one server: more rows make the comparison of all rows slow. */
const ROUND = 500;
/** A request that takes longer hangs, also on a busy machine. */
const PATIENCE_MS = 30_000;
/** A word that only the other realm has. */
const MARK = 'Elsinore';

const endpoints: Endpoint[] = Object.values(api).flatMap((resource) => Object.values(resource));
const byRoute = new Map(endpoints.map((endpoint) => [endpoint.route, endpoint]));
const actors = ['owner', 'administrator', 'moderator', 'member', 'guest', 'bot', 'nobody'] as const;
type Actor = (typeof actors)[number];

/** A server with a second realm, and users of each kind that stay as they are. */
async function startStage() {
  const chat = await startTestChat();
  const { desdemona, iago, shiva, hamlet, polonius } = chat.people;
  await desdemona.client.subscriptions.add({ subscriptions: [{ name: 'verona' }] });
  await chat.addPerson('horatio', roles.member, { password: 'a long password 4' });
  const { api_key } = await hamlet.client.bots.create({ full_name: 'Bot', short_name: 'random' });
  await seedOtherRealm(chat);
  await freezeAccounts(chat);
  await freezePermissions(chat);
  await freezeChannel(chat);
  const credentials: Readonly<Record<Actor, RawRequest['credentials']>> = {
    owner: desdemona,
    administrator: iago,
    moderator: shiva,
    member: hamlet,
    guest: polonius,
    bot: { email: 'random-bot@chat.test', api_key },
    nobody: undefined,
  };
  return { chat, credentials };
}

/** Keeps the channel of the samples usable, whatever a request changes. */
async function freezeChannel({ server }: TestChat): Promise<void> {
  const { kysely } = server.app.db;
  await sql`create function keep_channel() returns trigger language plpgsql as $$
    begin
      new.name := old.name;
      new.is_archived := old.is_archived;
      new.topics_policy := old.topics_policy;
      new.can_send_message_group := old.can_send_message_group;
      return new;
    end $$`.execute(kysely);
  await sql`create trigger keep_channel before update on channel for each row
    when (old.name = 'verona') execute function keep_channel()`.execute(kysely);
}

async function seedOtherRealm(chat: TestChat): Promise<void> {
  const { db, secrets } = chat.server.app;
  await db.transaction(async (tx) => {
    const id = await createRealm(
      tx,
      { secrets, externalHost: 'chat.test' },
      { subdomain: 'there', name: MARK },
    );
    const realm = { ...chat.realm, id, subdomain: 'there' };
    for (const name of ['desdemona', 'hamlet'])
      await createUser(
        tx,
        { realm, secrets },
        { email: `${name}@chat.test`, full_name: `${name} of ${MARK}`, role: roles.owner },
      );
  });
  chat.server.app.realms.forget();
}

async function send(url: string, request: RawRequest): Promise<RawResponse> {
  const ended = new AbortController();
  const late = setTimeout(PATIENCE_MS, undefined, { signal: ended.signal }).then(() => {
    throw new Error(`${request.path} hangs`);
  });
  try {
    return await Promise.race([sendRequest(url, request), late]);
  } finally {
    ended.abort();
  }
}

const anyRequest = fc.record({
  route: fc.constantFrom(...byRoute.keys()),
  actor: fc.constantFrom(...actors),
  changes: mutations,
});

const rounds = Array.from({ length: Math.ceil(REQUESTS / ROUND) }, (_, index) => [
  index + 1,
  Math.min(ROUND, REQUESTS - index * ROUND),
]);

test.for(rounds)(
  'round %i of %i random requests: no answer is undocumented or reveals another realm, no refused request changes a row',
  { timeout: 60_000 + ROUND * 2000 },
  async ([_round, requests]) => {
    const { chat, credentials } = await startStage();
    await using _chat = chat;
    const digest = () => databaseDigest(chat.server.app.db.kysely as never);
    const counts = { accepted: 0, refused: 0 };
    const property = fc.asyncProperty(anyRequest, async ({ route, actor, changes }) => {
      const endpoint = byRoute.get(route);
      if (!endpoint) throw new Error(`The API has no ${route}`);
      const sample = await sampleOf(endpoint, chat);
      const request = {
        ...requestOf(endpoint, mutate(endpoint, sample, changes)),
        credentials: credentials[actor],
      };
      const before = await digest();
      const answer = await send(chat.url, request);
      const about = `${actor}: ${request.path} ${request.form ?? ''}`.slice(0, 500);
      expectDocumentedResponse(endpoint, answer, about);
      expect(answer.text, about).not.toContain(MARK);
      if (answer.status < 400) return void counts.accepted++;
      counts.refused++;
      if (isDeepStrictEqual(await digest(), before)) return;
      // Work of earlier requests may write meanwhile, until it ends. The refused request never does.
      const changedTables = async () => {
        const settled = await digest();
        expect((await send(chat.url, request)).status, about).toBeGreaterThanOrEqual(400);
        const after = await digest();
        return Object.keys(after).filter((table) => after[table] !== settled[table]);
      };
      await expect.poll(changedTables, { message: about }).toEqual([]);
    });
    await fc.assert(property, { numRuns: requests ?? ROUND, endOnFailure: true });
    const most = (requests ?? ROUND) * 0.9;
    expect(Math.max(counts.accepted, counts.refused), 'of one kind').toBeLessThan(most);
  },
);
