import { randomBytes, randomUUID } from 'node:crypto';

import { stringifyJson } from '@bellhop/protocol';
import { cipherId } from '@bellhop/push-crypto/cipher-id';
import vectors from '@bellhop/push-crypto/vectors/device-pushes.json' with { type: 'json' };
import { describe, expect, test } from 'vitest';

import { deleteDevice, showDevice } from '../operator/devices.ts';
import { exportPage } from '../operator/export-data.ts';
import {
  PUSH_KEY_ID,
  pushRequests,
  randomAccountId,
  tokenRequests,
  type TestServer,
} from '../test-bouncer.fixture.ts';
import { codeOf, startPushTest } from './push-test.fixture.ts';

const { bouncer, server, notify, addDevice, received, prove, stored } = await startPushTest();
const { simulator } = bouncer;
await prove();

const kinds = ['apns', 'fcm'] as const;
const addByToken = (
  kind: (typeof kinds)[number],
  options?: Parameters<typeof bouncer.addByToken>[2],
) => bouncer.addByToken(server, kind, options);
const seconds = () => Math.floor(bouncer.now() / 1_000);

describe('POST /push/e2ee/register with token_id', () => {
  test.each(kinds)('a repetition is the same %s device, with a new box, too', async (kind) => {
    const phone = await addByToken(kind);
    const again = [await phone.register(), await phone.register()];
    expect(again.map(({ device_id }) => device_id)).toEqual([phone.deviceId, phone.deviceId]);
    const { devices } = await server.v1.devices.list({
      realm_uuid: server.realmUuid,
      after: phone.deviceId - 1,
      limit: 1,
    });
    expect(devices).toMatchObject([
      { token_id: phone.tokenId, push_account_id: null, token_kind: kind },
    ]);
    expect(stringifyJson(devices)).not.toContain(phone.token);
  });

  test("an APNs token is named in the phone's letters, and sent in lower case", async () => {
    const phone = await addByToken('apns', { spell: (token) => token.toUpperCase() });
    expect(phone.token).toBe(phone.token.toLowerCase());
    expect((await stored(phone.deviceId)).token).toBe(phone.token);
    await notify(tokenRequests.apns(phone));
    expect(received(phone)).toHaveLength(1);
    const older = await addByToken('apns', { token: phone.token });
    expect(older.tokenId).not.toBe(phone.tokenId);
    expect(older.deviceId).not.toBe(phone.deviceId);
    expect(await codeOf(phone.register({ token_id: older.tokenId }))).toBe('BAD_REQUEST');
  });

  test('the errors come in the order of the protocol', async () => {
    const { register, registration, tokenId: token_id } = await addByToken('fcm');
    const expired = bouncer.seal({ ...registration(), timestamp: seconds() - 86_410 });
    const other = await addByToken('fcm');
    const ask = (parts: object, by = server) =>
      codeOf(
        by.client.push.register({
          realm_uuid: server.realmUuid,
          token_id,
          encrypted_push_registration: expired,
          bouncer_public_key: bouncer.keyPair.publicKey,
          ...parts,
        }),
      );
    const strange = { bouncer_public_key: vectors.registration.bouncer_public_key };
    const closed = { encrypted_push_registration: 'AAAA' };
    const wrong = { token_id: other.tokenId };
    expect(await ask({ realm_uuid: randomUUID(), ...strange })).toBe('MISSING_REMOTE_REALM');
    expect(await ask(strange, await bouncer.addServer())).toBe(
      'REMOTE_REALM_SERVER_MISMATCH_ERROR',
    );
    expect(await ask({ ...strange, ...closed })).toBe('INVALID_BOUNCER_PUBLIC_KEY');
    expect(await ask({ ...closed, ...wrong })).toBe('BAD_REQUEST');
    expect(await ask(wrong)).toBe('BAD_REQUEST');
    expect(await ask({})).toBe('REQUEST_EXPIRED');
    expect(await codeOf(register())).toBe('success');
  });

  test.each(vectors.bad_token_ids)('a token_id is refused: $name', async ({ token_id }) => {
    const { register } = await addByToken('fcm');
    expect(await codeOf(register({ token_id }))).toBe('BAD_REQUEST');
  });

  test('a registration has exactly one of token_id and push_account_id', async () => {
    const { registration, tokenId: token_id } = await addByToken('fcm');
    const ask = (name: object) =>
      codeOf(
        server.client.push.register({
          realm_uuid: server.realmUuid,
          encrypted_push_registration: bouncer.seal(registration()),
          bouncer_public_key: bouncer.keyPair.publicKey,
          ...name,
        }),
      );
    expect(await ask({ token_id, push_account_id: 1n })).toBe('BAD_REQUEST');
    expect(await ask({})).toBe('REQUEST_VARIABLE_MISSING');
    expect(await ask({ push_account_id: 1n })).toBe('success');
  });

  test('a box is good for one token_id of one realm, and not for an account beside', async () => {
    const { tokenId: token_id, registration } = await addByToken('fcm');
    const ask = (by: TestServer, name: object, box: string) =>
      codeOf(
        by.client.push.register({
          realm_uuid: by.realmUuid,
          encrypted_push_registration: box,
          bouncer_public_key: bouncer.keyPair.publicKey,
          ...name,
        }),
      );
    const box = bouncer.seal(registration());
    expect(await ask(server, { token_id }, box)).toBe('success');
    expect(await ask(server, { token_id }, box)).toBe('success');
    expect(await ask(await bouncer.addServer(), { token_id }, box)).toBe('BAD_REQUEST');
    expect(await ask(server, { push_account_id: 1n }, box)).toBe('BAD_REQUEST');
    expect(await ask(server, { token_id }, bouncer.seal(registration()))).toBe('success');
  });

  test('registrations at the same time, in both ways and repeated, get their own devices', async () => {
    const phones = await Promise.all(Array.from({ length: 8 }, () => addByToken('fcm')));
    const tasks = phones.flatMap((phone) => [
      () => phone.register(),
      () => phone.register(),
      () =>
        server.client.push.register({
          realm_uuid: server.realmUuid,
          push_account_id: randomAccountId(),
          encrypted_push_registration: bouncer.seal(phone.registration()),
          bouncer_public_key: bouncer.keyPair.publicKey,
        }),
    ]);
    const ids = (await Promise.all(tasks.map((task) => task()))).map(({ device_id }) => device_id);
    for (const [at, { deviceId }] of phones.entries()) {
      expect(ids.slice(at * 3, at * 3 + 2)).toEqual([deviceId, deviceId]);
      expect(ids[at * 3 + 2]).not.toBe(deviceId);
    }
    expect(new Set(ids).size).toBe(16);
  });

  test('a token that was registered as another kind is corrected by a newer box, not by an older one', async () => {
    const iphone = await addByToken('apns');
    await notify(tokenRequests.apns(iphone));
    const boxOf = (parts: object, timestamp: number) => ({
      encrypted_push_registration: bouncer.seal({ ...iphone.registration(), ...parts, timestamp }),
    });
    const asFcm = { token_kind: 'fcm', ios_app_id: undefined };
    const older = iphone.register(boxOf(asFcm, seconds() - 60));
    await expect(older).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('as another token_kind'),
    });
    expect(await stored(iphone.deviceId)).toMatchObject({ token_kind: 'apns' });
    const ids = [await iphone.register(boxOf(asFcm, seconds() + 60))];
    expect(await stored(iphone.deviceId)).toMatchObject({
      token_kind: 'fcm',
      ios_app_id: null,
      environment: null,
    });
    expect(await notify(tokenRequests.apns(iphone))).toMatchObject({
      delete_token_ids: [],
      outcomes: [{ outcome: 'refused', reason: 'the device registered with the bouncer as fcm' }],
    });
    ids.push(await iphone.register(boxOf({}, seconds() + 60)));
    expect(ids.map(({ device_id }) => device_id)).toEqual([iphone.deviceId, iphone.deviceId]);
    const before = received(iphone).length;
    await notify(tokenRequests.apns(iphone));
    expect(received(iphone)).toHaveLength(before + 1);
  });

  test('a token that died as another kind is corrected', async () => {
    const phone = await addByToken('apns');
    const asFcm = { ...phone.registration(), token_kind: 'fcm', ios_app_id: undefined };
    const box = (content: object) => ({
      encrypted_push_registration: bouncer.seal({ ...content, timestamp: seconds() + 60 }),
    });
    await phone.register(box(asFcm));
    expect(await notify(tokenRequests.fcm(phone))).toMatchObject({
      delete_token_ids: [phone.tokenId],
    });
    expect((await stored(phone.deviceId)).expired_at).not.toBeNull();
    await phone.register(box(phone.registration()));
    expect(await stored(phone.deviceId)).toMatchObject({ token_kind: 'apns', expired_at: null });
    expect(await notify(tokenRequests.apns(phone))).toMatchObject({
      apple_successfully_sent_count: 1,
    });
  });
});

describe('POST /push/e2ee/notify with token_id', () => {
  test('an iPhone reads push_key_id as a number, an Android phone as text', async () => {
    const [iphone, android] = [await addByToken('apns'), await addByToken('fcm')];
    expect(await notify(tokenRequests.apns(iphone), tokenRequests.fcm(android))).toMatchObject({
      apple_successfully_sent_count: 1,
      android_successfully_sent_count: 1,
      delete_device_ids: [],
      delete_token_ids: [],
      realm_push_status: { can_push: true, expected_end_timestamp: null },
      outcomes: [
        { device_id: iphone.deviceId, token_id: iphone.tokenId, outcome: 'accepted' },
        { device_id: android.deviceId, token_id: android.tokenId, outcome: 'accepted' },
      ],
    });
    expect(received(iphone)).toMatchObject([
      { body: stringifyJson(tokenRequests.apns(iphone).payload) },
    ]);
    expect(received(android)).toMatchObject([
      { data: { push_key_id: String(PUSH_KEY_ID), encrypted_data: 'c2VjcmV0' } },
    ]);
  });

  test('items for two keys of one token are two notifications', async () => {
    const phone = await addByToken('fcm');
    const items = [1, 2].map((key) => tokenRequests.fcm(phone, 'c2VjcmV0', key));
    expect(await notify(...items)).toMatchObject({ android_successfully_sent_count: 2 });
    expect(received(phone)).toHaveLength(2);
  });

  test('delete_token_ids has unknown tokens and those of other realms', async () => {
    const foreign = await bouncer.addByToken(await bouncer.addServer(), 'fcm');
    const unknown = { tokenId: vectors.token_ids[0]?.token_id ?? '' };
    const known = await addDevice('fcm');
    const gone = { ...known, deviceId: 999_999 };
    const items = [tokenRequests.fcm(foreign), tokenRequests.fcm(unknown), pushRequests.fcm(gone)];
    expect(await notify(...items, tokenRequests.fcm(unknown))).toMatchObject({
      delete_token_ids: [foreign.tokenId, unknown.tokenId],
      delete_device_ids: [999_999],
      outcomes: [
        { device_id: null, token_id: foreign.tokenId, outcome: 'dead' },
        { device_id: null, token_id: unknown.tokenId, outcome: 'dead' },
        { device_id: 999_999, outcome: 'dead' },
        { device_id: null, outcome: 'dead' },
      ],
    });
    expect(received(foreign)).toEqual([]);
  });

  test('an item in two versions of the protocol fails alone, and its outcome names the field', async () => {
    const phone = await addByToken('fcm');
    const good = tokenRequests.fcm(phone);
    const broken: readonly [unknown, string][] = [
      [{ ...good, device_id: phone.deviceId }, 'device_id: not beside token_id'],
      [{ ...good, payload: { ...good.payload, push_account_id: 1 } }, 'payload.push_account_id'],
      [{ ...good, payload: { encrypted_data: 'YQ==' } }, 'payload.push_key_id'],
      [{ ...good, payload: { ...good.payload, push_key_id: 2 ** 32 } }, 'payload.push_key_id'],
      [{ ...good, payload: { ...good.payload, push_key_id: '1' } }, 'payload.push_key_id'],
      [{ ...good, token_id: 'AAAA' }, 'token_id: must be the base64 of 8 bytes'],
      [{ ...pushRequests.fcm({ ...phone, pushAccountId: 1n }) }, 'push_account_id'],
    ];
    const items = [...broken.map(([item]) => item), good] as (typeof good)[];
    const answer = await notify(...items);
    expect(answer.android_successfully_sent_count).toBe(1);
    expect(answer.delete_token_ids).toEqual([]);
    expect(answer.outcomes.map(({ reason = '' }) => reason)).toEqual([
      ...broken.map(([, reason]) => expect.stringContaining(reason) as string),
      '',
    ]);
    expect(received(phone)).toHaveLength(1);
  });

  test('an item of the wrong provider fails alone', async () => {
    const iphone = await addByToken('apns');
    expect(await notify(tokenRequests.fcm(iphone))).toMatchObject({
      android_successfully_sent_count: 0,
      delete_token_ids: [],
      outcomes: [{ outcome: 'refused', reason: expect.stringContaining('as apns') as string }],
    });
  });

  test('a repetition with its Idempotency-Key gets the first answer', async () => {
    const [phone, unknown] = [await addByToken('fcm'), { tokenId: 'AAAAAAAAAAA=' }];
    const ask = () =>
      server.client.push.notify(
        {
          realm_uuid: server.realmUuid,
          push_requests: [tokenRequests.fcm(phone), tokenRequests.fcm(unknown)],
        },
        { idempotencyKey: key },
      );
    const key = randomUUID();
    const first = await ask();
    expect(await ask()).toEqual(first);
    expect(first).toMatchObject({ delete_token_ids: [unknown.tokenId] });
    expect(received(phone)).toHaveLength(1);
  });
});

describe('what is stored about a device with a token_id', () => {
  const overloaded = { status: 503, reason: 'UNAVAILABLE', retry_after: 60 };

  test('a notification that waited arrives; its trace and the feedback of its end name the token', async () => {
    const phone = await addByToken('fcm');
    const ciphertext = randomBytes(64).toString('base64');
    simulator.faults.add({
      provider: 'fcm',
      match: { token: phone.token },
      times: 1,
      fault: overloaded,
    });
    expect(await notify(tokenRequests.fcm(phone, ciphertext))).toMatchObject({
      outcomes: [{ outcome: 'queued', token_id: phone.tokenId }],
    });
    bouncer.clock.offsetMs += 75_000;
    await expect.poll(() => received(phone)).toHaveLength(1);
    expect(received(phone)).toMatchObject([{ data: { push_key_id: String(PUSH_KEY_ID) } }]);
    const about = { device_id: phone.deviceId, token_id: phone.tokenId, outcome: 'accepted' };
    const ended = async () => (await server.v1.feedback.list({ limit: 1_000 })).entries;
    await expect.poll(ended).toContainEqual(expect.objectContaining(about));
    const { traces } = await server.v1.traces.list({ cipher_ids: [cipherId(ciphertext)] });
    expect(traces).toMatchObject([
      { ...about, stages: [{ stage: 'request' }, { stage: 'retry' }] },
    ]);
  });

  test('the trace of an unknown token has no device', async () => {
    const ciphertext = randomBytes(64).toString('base64');
    const tokenId = randomBytes(8).toString('base64');
    await notify(tokenRequests.fcm({ tokenId }, ciphertext));
    const traced = async () =>
      (await server.v1.traces.list({ cipher_ids: [cipherId(ciphertext)] })).traces;
    await expect
      .poll(traced)
      .toMatchObject([{ device_id: null, token_id: tokenId, outcome: 'dead' }]);
  });

  test('the operator sees, exports and deletes it', async () => {
    const owner = await bouncer.addServer();
    const phone = await bouncer.addByToken(owner, 'fcm');
    const operator = { database: bouncer.database, name: 'olivia', now: bouncer.now };
    await owner.client.push.notify({
      realm_uuid: owner.realmUuid,
      push_requests: [tokenRequests.fcm({ tokenId: 'AAAAAAAAAAA=' })],
    });
    const shown = { token_id: phone.tokenId, push_account_id: null };
    expect(await showDevice(bouncer.kysely, phone.deviceId)).toMatchObject(shown);
    const { records } = await exportPage(operator, { subject: owner.serverUuid });
    expect(records).toContainEqual(expect.objectContaining({ type: 'device', ...shown }));
    expect(records).toContainEqual(
      expect.objectContaining({ type: 'outcome', outcome: 'dead', token_id: 'AAAAAAAAAAA=' }),
    );
    await deleteDevice(operator, phone.deviceId);
    const left = await bouncer.kysely
      .selectFrom('device')
      .select('device_id')
      .where('realm_uuid', '=', owner.realmUuid)
      .execute();
    expect(left).toEqual([]);
  });
});
