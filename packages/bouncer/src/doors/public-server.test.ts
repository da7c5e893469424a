import { createHash, randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import { openDatabase } from '@bellhop/postgres';
import { type PublicKey, sealing, sealJson, secretboxCipher } from '@bellhop/push-crypto/phone';
import { appDataOf } from '@bellhop/push-simulator';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { defaultQuotas } from '../quotas/quota-table.ts';
import { startTestBouncer, type TestBouncer, type TestServer } from '../test-bouncer.fixture.ts';
import { type PublicDevice, PublicServer } from './public-server.fixture.ts';

let bouncer: TestBouncer;
let registered: TestServer;
let server: PublicServer;
beforeAll(async () => {
  const { POSITIVE_INFINITY: unlimited } = Number;
  const rates = { requests_per_minute: unlimited, device_notifications_per_minute: unlimited };
  bouncer = await startTestBouncer({ config: { quotas: { ...defaultQuotas, ...rates } } });
  registered = await bouncer.addServer();
  server = publicServer();
});
afterAll(() => bouncer[Symbol.asyncDispose]());

const publicServer = (parts: { orgId?: string; orgKey?: string; realmUuid?: string } = {}) =>
  new PublicServer({
    url: bouncer.url,
    orgId: registered.serverUuid,
    orgKey: registered.key,
    realmUuid: registered.realmUuid,
    ...parts,
  });

const seconds = () => Math.floor(bouncer.now() / 1_000);

/** A phone as the public app plays it: with its keys, and the tokens that its provider has given to it. */
class Phone {
  readonly kind: 'apns' | 'fcm';
  readonly keys = new Map<number, string>();
  readonly tokens: string[] = [];
  readonly device: PublicDevice;

  constructor(kind: 'apns' | 'fcm') {
    this.kind = kind;
    this.device = {
      kind,
      push_key_id: this.newKey(),
      push_token_id: null,
      pending_push_token_id: null,
      push_registration_error_code: null,
    };
    this.newToken();
  }

  newKey(): number {
    const id = randomInt(2 ** 32);
    this.keys.set(id, secretboxCipher.createKey().push_key);
    return id;
  }

  /** The app for iPhones has its token in capitals. */
  newToken(): void {
    const { token } = bouncer.simulator.addDevice({ kind: this.kind });
    this.tokens.push(this.kind === 'apns' ? token.toUpperCase() : token);
  }

  registration(parts: { timestamp?: number; publicKey?: PublicKey } = {}) {
    const { timestamp = seconds(), publicKey = bouncer.keyPair.publicKey } = parts;
    const token = this.tokens.at(-1) ?? '';
    const content = {
      token,
      token_kind: this.kind,
      timestamp,
      ...(this.kind === 'apns' ? { ios_app_id: 'org.bellhop.phone' } : {}),
    };
    return {
      token_id: createHash('sha256').update(token).digest().subarray(0, 8).toString('base64'),
      encrypted_push_registration: sealJson(sealing, content, publicKey),
      bouncer_public_key: publicKey,
    };
  }

  /** A message of the chat server, encrypted with the key that its record has. */
  message(content: object) {
    const { device } = this;
    const { push_key_id } = device;
    const key = this.keys.get(push_key_id) ?? '';
    return { device, push_key_id, encrypted_data: secretboxCipher.encrypt(content, key) };
  }

  /** What arrived, decrypted with the key that each notification names in the type that the app reads. */
  received(): unknown[] {
    return this.tokens
      .flatMap((token) => bouncer.simulator.devices.received(spellings[this.kind](token)))
      .map((notification) => {
        const { push_key_id, encrypted_data } = appDataOf(notification).fields;
        expect(push_key_id).toBeTypeOf(this.kind === 'fcm' ? 'string' : 'number');
        const key = this.keys.get(Number(push_key_id)) ?? '';
        return secretboxCipher.decrypt(String(encrypted_data), { push_key: key, secret_key: key });
      });
  }
}

/** How the provider writes a token. */
const spellings = {
  apns: (token: string) => token.toLowerCase(),
  fcm: (token: string) => token,
};

async function activePhone(kind: 'apns' | 'fcm', by = server): Promise<Phone> {
  const phone = new Phone(kind);
  expect(await by.register(phone.device, phone.registration())).toEqual({ is: 'active' });
  return phone;
}

describe('a public chat server of level 468 or later', () => {
  test.each(['apns', 'fcm'] as const)(
    'registers an %s phone, and the phone decrypts message and removal',
    async (kind) => {
      const phone = await activePhone(kind);
      expect(await server.register(phone.device, phone.registration())).toEqual({ is: 'active' });
      const removal = { ...phone.message({ type: 'remove', message_ids: [7] }), isRemoval: true };
      const counts = {
        apple_successfully_sent_count: kind === 'apns' ? 2 : 0,
        android_successfully_sent_count: kind === 'fcm' ? 2 : 0,
      };
      const sent = await server.notify([phone.message({ type: 'message' }), removal]);
      expect(sent).toEqual({
        ...counts,
        delete_token_ids: [],
        realm_push_status: { can_push: true, expected_end_timestamp: null },
      });
      expect(phone.received()).toEqual([{ type: 'message' }, { type: 'remove', message_ids: [7] }]);
    },
  );

  test('gets a valid answer to no items, and to none that can be sent', async () => {
    expect(await server.notify([])).toMatchObject({ delete_token_ids: [] });
    const phone = await activePhone('fcm');
    phone.device.push_token_id = 'AAAAAAAAAAA=';
    expect(await server.notify([phone.message({})])).toMatchObject({
      android_successfully_sent_count: 0,
      delete_token_ids: ['AAAAAAAAAAA='],
    });
    expect(phone.device.push_token_id).toBeNull();
  });

  test('forgets a token that its provider calls dead, and goes on with the next one of the phone', async () => {
    const [phone, other] = [await activePhone('fcm'), await activePhone('fcm')];
    await server.notify([other.message({})]);
    bouncer.clock.offsetMs += 1_000;
    bouncer.simulator.uninstall(phone.tokens[0] ?? '');
    const { delete_token_ids } = await server.notify([phone.message({}), other.message({})]);
    expect(delete_token_ids).toEqual([phone.registration().token_id]);
    expect([phone.device.push_token_id === null, other.device.push_token_id === null]).toEqual([
      true,
      false,
    ]);
    phone.newToken();
    await server.register(phone.device, phone.registration());
    await server.notify([phone.message({ id: 2 })]);
    expect(phone.received()).toEqual([{ id: 2 }]);
  });

  test('fails a phone for good only where the phone has to do something', async () => {
    const phone = new Phone('apns');
    const good = phone.registration();
    const ask = (parts: object) => server.register(phone.device, { ...good, ...parts });
    const code = async (parts: object) => {
      const result = await ask(parts);
      expect(phone.device.push_registration_error_code).toBe(
        result.is === 'failed' ? result.code : null,
      );
      return result.is === 'failed' ? result.code : result.is;
    };
    const { publicKey } = sealing.generateKeyPair();
    expect(await code({ bouncer_public_key: publicKey })).toBe('INVALID_BOUNCER_PUBLIC_KEY');
    expect(await code(phone.registration({ timestamp: seconds() - 86_410 }))).toBe(
      'REQUEST_EXPIRED',
    );
    const other = new Phone('apns').registration();
    expect(await code({ token_id: other.token_id })).toBe('BAD_REQUEST');
    expect(await code({ token_id: `${good.token_id}\n` })).toBe('BAD_REQUEST');
    expect(await code({ encrypted_push_registration: 'AAAA' })).toBe('BAD_REQUEST');
    expect(await code({})).toBe('active');
  });

  test('asks again for a realm that is unknown, of another server, stopped or full', async () => {
    const phone = new Phone('fcm');
    const unknown = publicServer({ realmUuid: randomUUID() });
    expect(await unknown.register(phone.device, phone.registration())).toEqual({
      is: 'pending',
      why: 'MISSING_REMOTE_REALM',
    });
    const full = await bouncer.addServer();
    await bouncer.kysely
      .updateTable('remote_server')
      .set({ quotas: JSON.stringify({ realm_devices: 0 }) })
      .where('server_uuid', '=', full.serverUuid)
      .execute();
    const { serverUuid: orgId, key: orgKey, realmUuid } = full;
    const fullServer = publicServer({ orgId, orgKey, realmUuid });
    expect(await fullServer.register(phone.device, phone.registration())).toEqual({
      is: 'pending',
      why: 'PUSH_NOTIFICATIONS_DISALLOWED',
    });
    expect(phone.device.push_registration_error_code).toBeNull();
  });

  test('asks again beyond a quota, and loses no notification of 429', async () => {
    bouncer.nextMinute();
    const limited = await bouncer.addServer();
    const { serverUuid: orgId, key: orgKey, realmUuid } = limited;
    const own = publicServer({ orgId, orgKey, realmUuid });
    const phone = await activePhone('fcm', own);
    for (const quota of ['requests_per_minute', 'registrations_per_minute']) {
      await bouncer.kysely
        .updateTable('remote_server')
        .set({ quotas: JSON.stringify({ [quota]: 0 }) })
        .where('server_uuid', '=', orgId)
        .execute();
      expect(await own.register(phone.device, phone.registration())).toEqual({
        is: 'pending',
        why: '503',
      });
    }
    await bouncer.kysely
      .updateTable('remote_server')
      .set({ quotas: JSON.stringify({ notifications_per_minute: 0 }) })
      .where('server_uuid', '=', orgId)
      .execute();
    await expect(own.notify([phone.message({})])).rejects.toThrow(
      /^503 {"result":"error".*"code":"RATE_LIMIT_HIT"/,
    );
  });

  test('asks again while the database of the bouncer is away, or the bouncer stops', async () => {
    await using other = await startTestBouncer();
    const { serverUuid: orgId, key: orgKey, realmUuid } = await other.addServer();
    const own = new PublicServer({ url: other.url, orgId, orgKey, realmUuid });
    const phone = new Phone('fcm');
    const registration = phone.registration({ publicKey: other.keyPair.publicKey });
    const name = new URL(other.databaseUrl).pathname.slice(1);
    const postgres = new URL(other.databaseUrl);
    postgres.pathname = '/postgres';
    await using admin = await openDatabase(postgres.href);
    const allow = (allowed: boolean) =>
      sql.raw(`alter database ${name} allow_connections ${allowed}`).execute(admin.kysely);
    await allow(false);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`.execute(
      admin.kysely,
    );
    const away = await own.register(phone.device, registration);
    expect(away).toMatchObject({ is: 'pending', why: expect.stringMatching(/^50[03]$/) as string });
    await expect(own.notify([phone.message({})])).rejects.toThrow(/^50[03] {"result":"error"/);
    await allow(true);
    await expect.poll(() => own.register(phone.device, registration)).toEqual({ is: 'active' });
    await other.stop();
    const stopped = await own.register(phone.device, registration);
    expect(stopped.is).not.toBe('failed');
  });
});

test('keys and tokens change under load, and every notification arrives once', async () => {
  bouncer.nextMinute();
  const phones = await Promise.all(
    (['apns', 'fcm', 'apns', 'fcm'] as const).map((kind) => activePhone(kind)),
  );
  for (const provider of ['apns', 'fcm'] as const)
    for (const fault of [
      'refuse_stream' as const,
      'goaway' as const,
      { status: 503, reason: provider === 'fcm' ? 'UNAVAILABLE' : 'ServiceUnavailable' },
    ])
      bouncer.simulator.faults.add({ provider, probability: 0.05, fault });
  const sent = new Map(phones.map((phone) => [phone, [] as number[]]));
  let isRotating = true;
  let id = 0;
  const send = async (phone: Phone) => {
    while (isRotating) {
      const messages = [phone.message({ id: ++id }), phone.message({ id: ++id })];
      sent.get(phone)?.push(id - 1, id);
      const { delete_token_ids } = await server.notify(messages);
      expect(delete_token_ids).toEqual([]);
    }
  };
  const rotate = async (phone: Phone) => {
    for (let round = 0; round < 6; round++) {
      phone.device.push_key_id = phone.newKey();
      phone.newToken();
      const registration = phone.registration();
      // A server repeats a registration whose answer was lost.
      const answers = await Promise.all([
        server.register(phone.device, registration),
        server.register(phone.device, registration),
      ]);
      expect(answers).toEqual([{ is: 'active' }, { is: 'active' }]);
      const count = () => sent.get(phone)?.length ?? 0;
      for (const before = count(); count() < before + 12;) await wait(5);
    }
  };
  const sending = Promise.all(phones.flatMap((phone) => [1, 2, 3].map(() => send(phone))));
  await Promise.all(phones.map(rotate)).finally(() => (isRotating = false));
  await sending;
  bouncer.simulator.faults.clear();
  const order = (ids: readonly unknown[]) =>
    ids.map((one) => Number(Object(one).id ?? one)).toSorted((one, other) => one - other);
  // After its second 503, a notification for Apple waits for 15 minutes.
  bouncer.clock.offsetMs += 20 * 60_000;
  for (const phone of phones)
    await expect.poll(() => order(phone.received())).toEqual(sent.get(phone));
  for (const phone of phones) {
    expect(sent.get(phone)?.length).toBeGreaterThan(72);
    expect(phone.tokens).toHaveLength(7);
  }
  bouncer.clock.offsetMs += 1_000;
  for (const { kind, tokens } of phones)
    for (const token of tokens.slice(0, -1)) bouncer.simulator.uninstall(spellings[kind](token));
  const last = await server.notify(phones.map((phone) => phone.message({ id: 0 })));
  expect(last).toMatchObject({ apple_successfully_sent_count: 2, delete_token_ids: [] });
});
