import { afterAll, beforeAll, expect, test } from 'vitest';

import type { LookUp } from '../../engine/address-limit.ts';
import { newSecret } from '../../engine/secrets.ts';
import { startTestChat, type TestChat } from '../../test-chat.fixture.ts';
import { knownUsers } from './known-users.ts';
import * as queries from './queries.ts';

let chat: TestChat;
/** Finds without a limit. */
const direct: LookUp = (find) => find();
beforeAll(async () => {
  chat = await startTestChat();
});
afterAll(() => chat[Symbol.asyncDispose]());

test('a cached user is dropped at once by notified nodes and after keepMs by all others', async () => {
  const { app } = chat.server;
  const { db, secrets } = app;
  const { user, api_key } = chat.people.hamlet;
  let time = 0;
  const options = { mac: secrets.mac, keepMs: 50, clock: () => time };
  const here = await knownUsers(db, options);
  const told = await knownUsers(db, options);
  const deaf = await knownUsers({ ...db, listen: async () => () => undefined }, options);
  for (const node of [here, told, deaf])
    expect(await node.byKey(chat.realm, api_key, direct)).toMatchObject({ id: user.id });
  const renewed = newSecret();
  const write = () =>
    db.transaction(async (tx) => {
      await queries.update(tx, user, { api_key_mac: secrets.mac(renewed) });
      here.forget(tx, user.id);
    });
  await write();
  expect(await here.byKey(chat.realm, api_key, direct)).toBeUndefined();
  await expect.poll(() => told.byKey(chat.realm, api_key, direct)).toBeUndefined();
  expect(await deaf.byKey(chat.realm, api_key, direct)).toMatchObject({ id: user.id });
  const started = performance.now();
  await here.forgotten();
  time += performance.now() - started + 1;
  expect(await deaf.byKey(chat.realm, api_key, direct)).toBeUndefined();
  expect(await here.byKey(chat.realm, renewed, direct)).toMatchObject({ id: user.id });
  for (const node of [here, told, deaf]) node.stop();
});

test('a change that rolls back drops no cached user', async () => {
  const { db, secrets } = chat.server.app;
  const { user, api_key } = chat.people.iago;
  let lookups = 0;
  const counting = {
    ...db,
    get kysely() {
      lookups++;
      return db.kysely;
    },
  };
  const known = await knownUsers(counting, { mac: secrets.mac, clock: () => 0 });
  await known.byKey(chat.realm, api_key, direct);
  await db
    .transaction((tx) => {
      known.forget(tx, user.id);
      throw new Error('never mind');
    })
    .catch(() => undefined);
  await known.byKey(chat.realm, api_key, direct);
  expect(lookups).toBe(1);
  known.stop();
});

test('the cache separates keys and realms', async () => {
  const { polonius, iago } = chat.people;
  const { db, secrets } = chat.server.app;
  const known = await knownUsers(db, { mac: secrets.mac });
  const elsewhere = { ...chat.realm, id: 999_999 as typeof chat.realm.id };
  expect(await known.byKey(chat.realm, polonius.api_key, direct)).toMatchObject({
    id: polonius.user.id,
  });
  expect(await known.byKey(chat.realm, iago.api_key, direct)).toMatchObject({ id: iago.user.id });
  expect(await known.byKey(elsewhere, polonius.api_key, direct)).toBeUndefined();
  expect(await known.byKey(chat.realm, 'x'.repeat(32), direct)).toBeUndefined();
  known.stop();
});

test('a key that no user has takes no room in the cache, and a known key is not looked up as unknown', async () => {
  const { cordelia } = chat.people;
  const { db, secrets } = chat.server.app;
  let time = 0;
  const known = await knownUsers(db, { mac: secrets.mac, keepMs: 50, clock: () => time });
  const refuse: LookUp = () => Promise.reject(new Error('refused'));
  await expect(known.byKey(chat.realm, cordelia.api_key, refuse)).rejects.toThrow('refused');
  const { id } = cordelia.user;
  expect(await known.byKey(chat.realm, cordelia.api_key, direct)).toMatchObject({ id });
  for (let at = 0; at < 100; at++)
    expect(await known.byKey(chat.realm, `${at}`.padStart(32, 'x'), direct)).toBeUndefined();
  time = 1000;
  expect(await known.byKey(chat.realm, cordelia.api_key, refuse)).toMatchObject({ id });
  await expect(known.byKey(chat.realm, '1'.padStart(32, 'x'), refuse)).rejects.toThrow('refused');
  known.stop();
});
