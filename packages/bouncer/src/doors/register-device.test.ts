import { randomUUID } from 'node:crypto';

import { ApiError, type TokenKind } from '@bellhop/protocol';
import { sealing } from '@bellhop/push-crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { sweepRegistrations } from '../devices/use-registration.ts';
import {
  randomAccountId,
  startTestBouncer,
  type TestBouncer,
  type TestServer,
} from '../test-bouncer.fixture.ts';

let bouncer: TestBouncer;
let server: TestServer;
const older = sealing.generateKeyPair();
beforeAll(async () => {
  bouncer = await startTestBouncer({ olderKey: older });
  server = await bouncer.addServer();
});
afterAll(() => bouncer[Symbol.asyncDispose]());

const seconds = () => Math.floor(bouncer.now() / 1_000);
const valid = () => ({ token: 'a-token:1', token_kind: 'fcm', timestamp: seconds() });
interface Parts {
  realm_uuid?: string;
  push_account_id?: bigint;
  encrypted_push_registration?: string;
  bouncer_public_key?: string;
  token_kind?: TokenKind;
}
const register = (parts: Parts = {}, by = server) =>
  by.client.push.register({
    realm_uuid: server.realmUuid,
    push_account_id: randomAccountId(),
    encrypted_push_registration: bouncer.seal(valid()),
    bouncer_public_key: bouncer.keyPair.publicKey,
    ...parts,
  });
async function refusal(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ApiError) return error;
  throw new Error('the call was not rejected', { cause: error });
}
const sealedCode = async (registration: object) =>
  (await refusal(register({ encrypted_push_registration: bouncer.seal(registration) }))).code;

test('a repeated registration returns the same device_id', async () => {
  const first = await register({ push_account_id: 42n });
  expect(first.device_id).toBeGreaterThan(0);
  expect(await register({ push_account_id: 42n })).toEqual(first);
  expect(await register({ push_account_id: 43n })).not.toEqual(first);
});

test('concurrent registrations get their own devices, and each answer names the others with its token', async () => {
  const token = (name: string) => ({
    encrypted_push_registration: bouncer.seal({ ...valid(), token: name }),
  });
  const shared = token('shared-box');
  const results = await Promise.allSettled([
    register({ push_account_id: 1n, ...token('own-1') }),
    register({ push_account_id: 2n, ...token('own-2') }),
    register({ push_account_id: 2n, ...token('own-2') }),
    register({ push_account_id: 3n, ...token('same') }),
    register({ push_account_id: 4n, ...token('same') }),
    register({ push_account_id: 5n, ...shared }),
    register({ push_account_id: 6n, ...shared }),
  ]);
  const devices = results.map((one) => (one.status === 'fulfilled' ? one.value : undefined));
  const [first, second, again, third, fourth, ...boxes] = devices;
  expect(again?.device_id).toBe(second?.device_id);
  expect(new Set([first, second, third, fourth].map((one) => one?.device_id)).size).toBe(4);
  expect([
    ...(third?.same_token_device_ids ?? []),
    ...(fourth?.same_token_device_ids ?? []),
  ]).toContain(third?.device_id);
  expect(boxes.filter((one) => one !== undefined)).toHaveLength(1);
});

test('a sealed registration is valid for one account of one realm', async () => {
  const encrypted_push_registration = bouncer.seal(valid());
  const first = await register({ push_account_id: 50n, encrypted_push_registration });
  const again = await register({ push_account_id: 50n, encrypted_push_registration });
  expect(again.device_id).toBe(first.device_id);
  const stolen = await refusal(register({ push_account_id: 51n, encrypted_push_registration }));
  expect(stolen.code).toBe('BAD_REQUEST');
  const other = await bouncer.addServer();
  const elsewhere = { push_account_id: 50n, realm_uuid: other.realmUuid };
  const there = register({ ...elsewhere, encrypted_push_registration }, other);
  expect((await refusal(there)).code).toBe('BAD_REQUEST');
});

test('the record of a used registration is deleted only after the registration has expired', async () => {
  const { kysely } = bouncer;
  const encrypted_push_registration = bouncer.seal(valid());
  const register60 = () => register({ push_account_id: 60n, encrypted_push_registration });
  await register60();
  const count = async () =>
    (await kysely.selectFrom('used_registration').selectAll().execute()).length;
  const before = await count();
  await bouncer.sweep(sweepRegistrations, 2 * 86_400_000);
  expect(await count()).toBe(before);
  await bouncer.sweep(sweepRegistrations, 4 * 86_400_000);
  expect(await count()).toBe(0);
});

test('a token of another kind than token_kind says is rejected', async () => {
  const rejected = await refusal(register({ token_kind: 'apns' }));
  expect(rejected.code).toBe('BAD_REQUEST');
  expect(await register({ token_kind: 'fcm' })).toMatchObject({ token_kind: 'fcm' });
});

test('a registration names the other living devices of the realm with its token', async () => {
  const registration = { ...valid(), token: 'a-shared-token' };
  const add = () => register({ encrypted_push_registration: bouncer.seal(registration) });
  const [first, second] = [await add(), await add()];
  expect(first.same_token_device_ids).toEqual([]);
  expect(second.same_token_device_ids).toEqual([first.device_id]);
});

test('the same registration in another realm returns another device_id', async () => {
  const other = await bouncer.addServer();
  const there = await register({ push_account_id: 44n, realm_uuid: other.realmUuid }, other);
  expect(await register({ push_account_id: 44n })).not.toEqual(there);
});

test.each([-(2n ** 63n), 2n ** 63n - 1n, 0n])(
  'push_account_id %d is stored with all digits',
  async (id) => {
    const { device_id = 0 } = await register({ push_account_id: id });
    const { push_account_id } = await bouncer.kysely
      .selectFrom('device')
      .select('push_account_id')
      .where('device_id', '=', device_id)
      .executeTakeFirstOrThrow();
    expect(BigInt(push_account_id ?? '')).toBe(id);
  },
);

test('an APNs token in upper and in lower case is one device', async () => {
  const iphone = (token: string) =>
    register({
      push_account_id: 45n,
      encrypted_push_registration: bouncer.seal({
        ...valid(),
        token,
        token_kind: 'apns',
        ios_app_id: 'org.bellhop.phone',
      }),
    });
  expect(await iphone('ABCDEF')).toEqual(await iphone('abcdef'));
});

test('a registration sealed for an older key of the ring is accepted', async () => {
  const encrypted_push_registration = bouncer.seal(valid(), older.publicKey);
  const answer = register({ encrypted_push_registration, bouncer_public_key: older.publicKey });
  expect((await answer).device_id).toBeGreaterThan(0);
});

test('a public key that is not in the ring is rejected', async () => {
  const { publicKey } = sealing.generateKeyPair();
  for (const bouncer_public_key of [publicKey, 'no key'])
    expect((await refusal(register({ bouncer_public_key }))).code).toBe(
      'INVALID_BOUNCER_PUBLIC_KEY',
    );
});

test('a registration that cannot be opened is rejected', async () => {
  const box = bouncer.seal(valid());
  for (const encrypted_push_registration of [
    'not base64!',
    'c2hvcnQ=',
    box.slice(0, -8),
    `${box.startsWith('A') ? 'B' : 'A'}${box.slice(1)}`,
    bouncer.seal(valid(), older.publicKey),
  ])
    expect((await refusal(register({ encrypted_push_registration }))).code).toBe('BAD_REQUEST');
});

test('a registration that does not match the schema is rejected', async () => {
  const iphone = { token_kind: 'apns', token: 'ab', ios_app_id: 'org.bellhop.phone' };
  for (const wrong of [
    { token: '' },
    { token: 'x'.repeat(4_097) },
    { token: 'nul\0' },
    { token: undefined },
    { token_kind: 'windows' },
    { timestamp: '1' },
    { timestamp: undefined },
    { ios_app_id: 'org.bellhop.phone' },
    { ...iphone, ios_app_id: undefined },
    { ...iphone, ios_app_id: 'not/an/app' },
    { ...iphone, token: 'xyz' },
    { ...iphone, token: 'ab cd' },
  ])
    expect([wrong, await sealedCode({ ...valid(), ...wrong })]).toEqual([wrong, 'BAD_REQUEST']);
  expect(await sealedCode([])).toBe('BAD_REQUEST');
});

test('unknown fields of a registration are ignored', async () => {
  const encrypted_push_registration = bouncer.seal({ ...valid(), colour: 'red' });
  expect((await register({ encrypted_push_registration })).device_id).toBeGreaterThan(0);
});

test('a registration older than a day is rejected', async () => {
  const timestamp = seconds() - 86_410;
  expect(await sealedCode({ ...valid(), timestamp })).toBe('REQUEST_EXPIRED');
  const encrypted_push_registration = bouncer.seal({ ...valid(), timestamp: seconds() - 86_390 });
  expect((await register({ encrypted_push_registration })).device_id).toBeGreaterThan(0);
});

test("a phone's clock may be a day ahead; beyond that the error names the clock", async () => {
  const dated = (ahead: number) =>
    register({
      encrypted_push_registration: bouncer.seal({ ...valid(), timestamp: seconds() + ahead }),
    });
  for (const ahead of [60, 7_200, 86_390])
    expect((await dated(ahead)).device_id).toBeGreaterThan(0);
  expect(await refusal(dated(90_060))).toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringMatching(/timestamp: 25 hours in the future.*clock/),
  });
});

test('a registration for an unknown realm or a realm of another server is rejected', async () => {
  const unknown = await refusal(register({ realm_uuid: randomUUID() }));
  expect(unknown).toMatchObject({ code: 'MISSING_REMOTE_REALM', status: 403 });
  const other = await bouncer.addServer();
  const foreign = await refusal(register({}, other));
  expect(foreign).toMatchObject({ code: 'REMOTE_REALM_SERVER_MISMATCH_ERROR', status: 403 });
});

test('ten concurrent registrations of one token return one device_id', async () => {
  const calls = Array.from({ length: 10 }, () => register({ push_account_id: 46n }));
  const ids = (await Promise.all(calls)).map(({ device_id }) => device_id);
  expect(new Set(ids).size).toBe(1);
});
