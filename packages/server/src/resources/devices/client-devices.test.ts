import { payloadCipher, secretboxCipher } from '@bellhop/push-crypto';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { runQueuedJobs } from '../../run-queued-jobs.fixture.ts';
import {
  accepted,
  BOTH,
  type ClientDevices,
  type Device,
  K1,
  K2,
  NOTIFY,
  REGISTER,
  type SentItem,
  sent,
  startClientDevices,
  T1,
  T2,
  tokenHalf,
} from './client-devices.fixture.ts';
import { endTokens } from './client-devices.ts';
import { failure, success } from './scripted-bouncer.fixture.ts';

const ACTIVE = { push_token_id: T1, pending_push_token_id: null };
let phones: ClientDevices;
beforeAll(async () => {
  phones = await startClientDevices(() => 1_800_000_000);
});
afterAll(() => phones[Symbol.asyncDispose]());
afterEach(() => phones.settle());

test('refused registrations change nothing', async () => {
  const device = await phones.newDevice();
  const { person, device_id, register } = device;
  const { ask } = phones.chat;
  const refusals: [params: Readonly<Record<string, string | number>>, message: string][] = [
    [{ ...K1 }, 'The first registration'],
    [tokenHalf(T1), 'The first registration'],
    [{}, 'Send push_key_id and push_key'],
    [{ push_key_id: 1, token_id: T1 }, 'Send push_key_id and push_key'],
    [{ ...BOTH, push_account_id: '7' }, 'send one of them'],
    [{ ...BOTH, device_id: device_id + 1 }, 'you have no device'],
    [{ ...BOTH, push_key_id: 4_294_967_296 }, 'push_key_id'],
    [{ ...BOTH, push_key_id: -1 }, 'push_key_id'],
    [{ ...BOTH, push_key: secretKey(32) }, '33 bytes'],
    [{ ...BOTH, push_key: secretKey(34) }, '33 bytes'],
    [{ ...BOTH, push_key: secretKey(33, 0x32) }, '0x31'],
    [{ ...BOTH, token_id: 'CABBxC4BRC==' }, '8 bytes'],
    [{ ...BOTH, token_id: '-wKIhyAx_Eg=' }, '8 bytes'],
    [{ ...BOTH, token_kind: 'gcm' }, 'token_kind'],
  ];
  for (const [params, message] of refusals) {
    const { status, body } = await ask(person, 'POST /mobile_push/register', {
      device_id: String(device_id),
      ...Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)])),
    });
    expect([params, status, body['code']]).toEqual([params, 400, 'BAD_REQUEST']);
    expect(body['msg']).toContain(message);
  }
  expect(await device.events()).toEqual([]);
  await phones.pendingAfter(() => register(BOTH));
  await device.events();
  await expect(register(tokenHalf(T2))).rejects.toThrow('not finished');
  await expect(register({ ...K2, ...tokenHalf(T2) })).rejects.toThrow('not finished');
  expect(await device.events()).toEqual([]);
});
const secretKey = (bytes: number, first = 0x31) =>
  Buffer.concat([Buffer.from([first]), Buffer.alloc(bytes - 1, 7)]).toString('base64');

test('what a registration does not use is ignored, as by public servers, and the answer names it', async () => {
  const device = await phones.newDevice();
  const ignoredOf = async (params: object) => {
    const fields = { device_id: device.device_id, ...params };
    const { status, body } = await phones.chat.ask(
      device.person,
      'POST /mobile_push/register',
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])),
    );
    expect(status).toBe(200);
    return body['ignored_parameters_unsupported'];
  };
  phones.answered(accepted);
  const push_public_key = payloadCipher.createKey().push_key;
  expect(await ignoredOf({ ...BOTH, push_public_key })).toEqual(['push_public_key']);
  await phones.runJobs();
  expect(await ignoredOf({ ...K2, token_id: T2, token_kind: 'fcm' })).toEqual([
    'token_id',
    'token_kind',
  ]);
  const { push_key, push_key_id } = K1;
  expect(await ignoredOf({ ...tokenHalf(T1), push_key })).toEqual(['push_key']);
  expect(await ignoredOf({ ...tokenHalf(T1), push_key_id })).toEqual(['push_key_id']);
  expect(await ignoredOf({ ...K2, ...tokenHalf(T1) })).toBeUndefined();
  expect(await phones.stateOf(device)).toMatchObject({ ...ACTIVE, push_key_id: K2.push_key_id });
  const account = { ...tokenHalf(T1), push_account_id: '7', push_public_key, device_id: null };
  expect(await ignoredOf({ ...account, ...K1 })).toEqual(['token_id', 'push_key_id', 'push_key']);
});

test('a new box for the pending token replaces its job', async () => {
  const device = await phones.newDevice();
  await phones.pendingAfter(() =>
    device.register({ ...BOTH, encrypted_push_registration: 'stale' }),
  );
  await phones.pendingAfter(() =>
    device.register({ ...tokenHalf(T1), encrypted_push_registration: 'fresh' }),
  );
  const before = phones.requestsTo(REGISTER).length;
  phones.answered(accepted);
  await phones.runJobs();
  const sent = phones.requestsTo(REGISTER).slice(before);
  expect(sent.map(({ fields }) => fields['encrypted_push_registration'])).toEqual(['fresh']);
  expect(await phones.stateOf(device)).toMatchObject(ACTIVE);
});

/** Makes the bouncer name this device for each token; its answers wait until they are released, in order. */
function heldAnswers(device_id: number) {
  const held: PromiseWithResolvers<void>[] = [];
  phones.script[REGISTER] = async () => {
    const one = Promise.withResolvers<void>();
    held.push(one);
    await one.promise;
    return success({ device_id, same_token_device_ids: [] });
  };
  const asked = (count: number) => expect.poll(() => held.length).toBe(count);
  return { asked, release: (at: number) => held[at]?.resolve() };
}

/** Resolves when the removal of a device from the bouncer has been tried. */
const triedRemoval = (device_id: number) =>
  expect
    .poll(async () => {
      const { rows } = await sql`select from job where name = 'remove_from_bouncer'
        and payload -> 'bouncer_device_ids' @> ${String(device_id)}
        and (failures > 0 or state <> 'queued')`.execute(phones.chat.server.app.db.kysely);
      return rows.length;
    })
    .toBe(1);

test('a phone that sends its token twice keeps the device that the bouncer has for it', async () => {
  const device = await phones.newDevice();
  const bouncer = heldAnswers(71);
  await device.register(BOTH);
  await bouncer.asked(1);
  await device.register(tokenHalf(T1));
  await bouncer.asked(2);
  bouncer.release(0);
  await triedRemoval(71);
  bouncer.release(1);
  await expect.poll(() => phones.stateOf(device)).toMatchObject(ACTIVE);
  await runQueuedJobs(phones.chat, 'remove_from_bouncer');
  expect(phones.removed()).not.toContain('71');
});

test('a phone that logs out of an account keeps the device that another account registers', async () => {
  const [first, second] = [await phones.newDevice(), await phones.newDevice()];
  const bouncer = heldAnswers(72);
  await first.register(BOTH);
  await bouncer.asked(1);
  bouncer.release(0);
  await expect.poll(() => phones.stateOf(first)).toMatchObject(ACTIVE);
  await second.register({ ...K2, ...tokenHalf(T1) });
  await bouncer.asked(2);
  const { device_id } = first;
  await first.person.client.devices.removeClientDevice({ device_id });
  await triedRemoval(72);
  bouncer.release(1);
  await expect.poll(() => phones.stateOf(second)).toMatchObject(ACTIVE);
  await runQueuedJobs(phones.chat, 'remove_from_bouncer');
  expect(phones.removed()).not.toContain('72');
  await second.person.client.devices.removeClientDevice({ device_id: second.device_id });
  await runQueuedJobs(phones.chat, 'remove_from_bouncer');
  expect(phones.removed()).toContain('72');
});

test('the bouncer gets the box and the token ID unchanged, and a person without rights gets no answer', async () => {
  const device = await phones.newDevice();
  const before = phones.requestsTo(REGISTER).length;
  await phones.reach('active', device);
  const [request] = phones.requestsTo(REGISTER).slice(before);
  expect(request?.fields).toEqual({
    realm_uuid: phones.chat.realm.uuid,
    token_id: T1,
    token_kind: 'fcm',
    bouncer_public_key: 'the key of the bouncer',
    encrypted_push_registration: BOTH.encrypted_push_registration,
  });
});

test('a token that died on the way does not end the one that has replaced it', async () => {
  const device = await phones.newDevice();
  await phones.reach('token rotation', device);
  phones.answered(accepted);
  await phones.runJobs();
  await device.events();
  const { app } = phones.chat.server;
  const { id, registration } = await app.db.kysely
    .selectFrom('client_device')
    .select(['id', 'registration'])
    .where('id', '=', device.device_id)
    .executeTakeFirstOrThrow();
  const end = (token_id: string) =>
    app.change(phones.chat.realm, (change) =>
      endTokens(change, phones.chat.realm.id, [{ id, token_id, registration }], { forgets: false }),
    );
  await end(T1);
  expect(await device.events()).toEqual([]);
  await end(T2);
  expect(await device.events()).toMatchObject([{ push_token_id: null }]);
});

/** While the bouncer has the first notification, the phone replaces its token, and both tokens of `dead` die. */
async function replacingToken(dead: readonly string[], second = sent()): Promise<Device> {
  const device = await phones.newDevice();
  await phones.reach('active', device);
  phones.script[NOTIFY] = async () => {
    phones.script[NOTIFY] = second;
    phones.answered(accepted);
    await device.register(tokenHalf(T2));
    await phones.runJobs();
    return sent({ delete_token_ids: dead });
  };
  return device;
}
test.each([
  ['a message', async (device: Device) => void (await phones.sendTo(device))],
  [
    'a test notification',
    async ({ person, device_id }: Device) =>
      void (await person.client.devices.testNotification({ device_id })),
  ],
])(
  '%s to a token that died while the phone replaced it goes to the newer one',
  async (_what, push) => {
    const before = phones.sentItems().length;
    const device = await replacingToken([T1]);
    await push(device);
    await runQueuedJobs(phones.chat, 'push_message');
    expect(
      phones
        .sentItems()
        .slice(before)
        .map(({ token_id }) => token_id),
    ).toEqual([T1, T2]);
    expect(await phones.stateOf(device)).toMatchObject({ push_token_id: T2 });
  },
);

test('a notification whose second token is dead as well is sent no third time', async () => {
  const before = phones.sentItems().length;
  const device = await replacingToken([T1], sent({ delete_token_ids: [T2] }));
  await phones.sendTo(device);
  await runQueuedJobs(phones.chat, 'push_message');
  expect(phones.sentItems().slice(before)).toHaveLength(2);
  expect(await phones.stateOf(device)).toMatchObject({ push_token_id: null });
});

test('a repeated attempt repeats what was sent to the newer token, with the key of then', async () => {
  const before = phones.sentItems().length;
  const device = await replacingToken([T1], failure(503, 'INTERNAL_ERROR'));
  await phones.sendTo(device);
  await expect.poll(() => phones.sentItems().length).toBe(before + 2);
  await device.register(K2);
  phones.notified();
  await runQueuedJobs(phones.chat, 'push_message');
  const [, second, ...more] = phones.sentItems().slice(before);
  expect(second?.token_id).toBe(T2);
  expect(more.at(-1)).toEqual(second);
});

test('a repeated attempt asks for the former token first, which may have got the notification', async () => {
  const before = phones.sentItems().length;
  const device = await phones.newDevice();
  await phones.reach('active', device);
  phones.script[NOTIFY] = failure(503, 'INTERNAL_ERROR');
  await phones.sendTo(device);
  await expect.poll(() => phones.sentItems().length).toBe(before + 1);
  phones.answered(accepted);
  await device.register(tokenHalf(T2));
  await phones.runJobs();
  phones.script[NOTIFY] = async (fields) => {
    const [item] = fields['push_requests'] as SentItem[];
    return sent(item?.token_id === T1 ? { delete_token_ids: [T1] } : {});
  };
  await runQueuedJobs(phones.chat, 'push_message');
  const [first, ...more] = phones.sentItems().slice(before);
  expect(more.at(-2)).toEqual(first);
  expect(more.at(-1)?.token_id).toBe(T2);
  expect(await phones.stateOf(device)).toMatchObject({ push_token_id: T2 });
});

test('a public bouncer, which tells no device_id, can be used', async () => {
  const device = await phones.newDevice();
  phones.answered(success());
  await device.register(BOTH);
  await phones.runJobs();
  expect(await phones.stateOf(device)).toMatchObject(ACTIVE);
  await device.person.client.devices.removeClientDevice({ device_id: device.device_id });
});

test('key and token of others are out of reach, and nobody sees a key', async () => {
  const device = await phones.newDevice();
  await phones.reach('active', device);
  const other = await phones.newPerson();
  const { device_id } = device;
  const refused = { code: 'BAD_REQUEST' };
  await expect(other.client.devices.registerPush({ device_id, ...K2 })).rejects.toMatchObject(
    refused,
  );
  await expect(other.client.devices.removeClientDevice({ device_id })).rejects.toMatchObject(
    refused,
  );
  const { rows } = await phones.chat.server.app.db.kysely
    .selectFrom('client_device')
    .select('push_key')
    .where('id', '=', device_id)
    .execute()
    .then((found) => ({ rows: found }));
  const raw = Buffer.from(K1.push_key, 'base64').subarray(1);
  expect(rows[0]?.push_key?.includes(raw)).toBe(false);
  expect(rows[0]?.push_key?.toString('latin1')).not.toContain(K1.push_key);
});

test('what a notification says is sealed with the key, and a new key is used at once', async () => {
  const device = await phones.newDevice();
  await phones.reach('active', device);
  const { person, device_id } = device;
  const sent = async () => {
    phones.notified();
    await person.client.devices.testNotification({ device_id });
    const { fields } = phones.requestsTo(NOTIFY).at(-1) ?? {};
    const [item] = (fields?.['push_requests'] ?? []) as {
      token_id: string;
      payload: { push_key_id: number; encrypted_data: string };
    }[];
    if (!item) throw new Error('nothing was sent');
    return item;
  };
  const read = (
    { payload }: Awaited<ReturnType<typeof sent>>,
    { push_key }: { push_key: string },
  ) => secretboxCipher.decrypt(payload.encrypted_data, { push_key, secret_key: push_key });
  const first = await sent();
  expect([first.token_id, first.payload.push_key_id]).toEqual([T1, K1.push_key_id]);
  expect(read(first, K1)).toMatchObject({ type: 'test', user_id: person.user.id });
  await device.register(K2);
  const second = await sent();
  expect(second.payload.push_key_id).toBe(K2.push_key_id);
  expect(read(second, K2)).toMatchObject({ type: 'test' });
  const traces = await person.client.devices.traces({ device_id });
  expect(
    traces.traces.map((trace) => [
      trace.push_account_id,
      trace.device_id,
      trace.push_key_id,
      trace.key_fingerprint,
    ]),
  ).toEqual([
    [null, device_id, K2.push_key_id, null],
    [null, device_id, K1.push_key_id, null],
  ]);
  await expect(
    person.client.devices.testNotification({ device_id, push_account_id: 7n }),
  ).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('a test notification to a device that its user does not have says so', async () => {
  const device = await phones.newDevice();
  const other = await phones.newDevice();
  const test = (device_id: number) => device.person.client.devices.testNotification({ device_id });
  await expect(test(other.device_id)).rejects.toMatchObject({
    code: 'NO_ACTIVE_PUSH_DEVICE',
    message: expect.stringContaining(`you have no device ${other.device_id}`),
  });
  await expect(test(device.device_id)).rejects.toMatchObject({
    code: 'NO_ACTIVE_PUSH_DEVICE',
    message: 'No active registered push device',
  });
});
