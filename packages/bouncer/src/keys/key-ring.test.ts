import { sealing } from '@bellhop/push-crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { createKey, importKeys, listKeys, resealKeys, retire } from '../operator/keys.ts';
import { type Operator, OperatorError } from '../operator/operator.ts';
import {
  randomAccountId,
  randomKey,
  startTestBouncer,
  type TestBouncer,
  type TestServer,
} from '../test-bouncer.fixture.ts';
import { SealedKeyError } from './require-openable.ts';
import { openSecret, sealSecret } from './seal-secret.ts';

const encryptionKey = randomKey();
const encryptionKeys = [encryptionKey];

let bouncer: TestBouncer;
let otherNode: string;
let operator: Operator;
let server: TestServer;
beforeAll(async () => {
  bouncer = await startTestBouncer({ config: { encryptionKeys } });
  otherNode = await bouncer.addNode();
  operator = { database: bouncer.database, name: 'olivia', now: bouncer.now };
  server = await bouncer.addServer();
});
afterAll(() => bouncer[Symbol.asyncDispose]());

/** Registers a phone whose app has the key. Returns its ID, or the error's code. */
const registerWith = (publicKey: string, url = otherNode): Promise<number | string | undefined> =>
  bouncer
    .clientOf(server.serverUuid, server.key, url)
    .push.register({
      realm_uuid: server.realmUuid,
      push_account_id: randomAccountId(),
      encrypted_push_registration: bouncer.seal(
        { token: randomKey(), token_kind: 'fcm', timestamp: Math.floor(bouncer.now() / 1_000) },
        publicKey as typeof bouncer.keyPair.publicKey,
      ),
      bouncer_public_key: publicKey,
    })
    .then(
      ({ device_id }) => device_id,
      (error: { code: string }) => error.code,
    );
const stateOf = async (publicKey: string) =>
  (await listKeys(bouncer.kysely, bouncer.config)).find(
    ({ public_key }) => public_key === publicKey,
  );

test('a key that the operator creates is accepted by every node', async () => {
  const publicKey = await createKey(operator, { encryptionKeys });
  for (const url of [bouncer.url, otherNode])
    await expect.poll(() => registerWith(publicKey, url), { interval: 200 }).toBeTypeOf('number');
  const { keys } = await server.v1.keys.list({});
  expect(keys[0]).toEqual({ public_key: publicKey });
  expect(await stateOf(publicKey)).toMatchObject({
    state: 'newest',
    kept_in: 'database',
    devices: 2,
    can_retire: false,
  });
});

test('private keys are encrypted in the database and never in the log', async () => {
  await importKeys(operator, { ...bouncer.config, encryptionKeys });
  const rows = await bouncer.kysely.selectFrom('registration_key').selectAll().execute();
  expect(rows.map(({ public_key }) => public_key)).toContain(bouncer.keyPair.publicKey);
  const stored = rows.map(({ sealed_secret }) => sealed_secret?.toString('latin1')).join();
  expect(stored).not.toContain(bouncer.keyPair.secretKey);
  expect(bouncer.logged()).not.toContain(bouncer.keyPair.secretKey);
  expect(await importKeys(operator, { ...bouncer.config, encryptionKeys })).toEqual({
    imported: [],
    retired: [],
  });
});

describe('retire', () => {
  test('refuses a key with living devices, and retires it once they are gone', async () => {
    const publicKey = await createKey(operator, { encryptionKeys });
    await createKey(operator, { encryptionKeys });
    await expect.poll(() => registerWith(publicKey)).toBeTypeOf('number');
    const retiring = (isForced: boolean) =>
      retire(operator, { publicKey, keys: bouncer.config.keys, isForced });
    await expect(retiring(false)).rejects.toThrow(
      /^Not retired: 1 living device registered with it, the latest on \d{4}-\d\d-\d\d/,
    );
    await bouncer.kysely
      .updateTable('device')
      .set({ expired_at: new Date() })
      .where('bouncer_public_key', '=', publicKey)
      .execute();
    expect(await stateOf(publicKey)).toMatchObject({ state: 'older', can_retire: true });
    expect(await retiring(false)).toEqual({ kept_in: 'nowhere' });
    for (const url of [bouncer.url, otherNode])
      await expect
        .poll(() => registerWith(publicKey, url), { interval: 200 })
        .toBe('INVALID_BOUNCER_PUBLIC_KEY');
    await expect(retiring(true)).rejects.toThrow(`${publicKey} is retired already.`);
    expect(await stateOf(publicKey)).toMatchObject({
      state: 'retired',
      kept_in: 'nowhere',
      verdict: expect.stringMatching(/^retired on \d{4}-\d\d-\d\d$/),
    });
  });

  test('with force also ends a key of the environment, until an import brings it back by force', async () => {
    const { publicKey } = bouncer.keyPair;
    const configured = { ...bouncer.config, encryptionKeys };
    expect(await registerWith(publicKey)).toBeTypeOf('number');
    const retiring = { publicKey, keys: bouncer.config.keys, isForced: true };
    expect(await retire(operator, retiring)).toEqual({ kept_in: 'environment' });
    expect(await stateOf(publicKey)).toMatchObject({
      state: 'retired',
      kept_in: 'environment',
      verdict: expect.stringMatching(/^retired on \d{4}-\d\d-\d\d; take it out of BELLHOP_BOU/),
    });
    await expect.poll(() => registerWith(publicKey)).toBe('INVALID_BOUNCER_PUBLIC_KEY');
    const refused = { imported: [], retired: [publicKey] };
    expect(await importKeys(operator, configured)).toEqual(refused);
    expect(await stateOf(publicKey)).toMatchObject({ state: 'retired' });
    const forced = await importKeys(operator, configured, { isForced: true });
    expect(forced).toEqual({ imported: [publicKey], retired: [] });
    await expect.poll(() => registerWith(publicKey)).toBeTypeOf('number');
  });

  test('refuses an unknown key', async () => {
    const asked = { publicKey: 'nothing', keys: {}, isForced: true };
    await expect(retire(operator, asked)).rejects.toThrow('There is no key nothing.');
  });
});

describe('the encryption key', () => {
  test('is replaced by reseal while the bouncer knows both', async () => {
    const newKey = randomKey();
    const both = { encryptionKeys: [newKey, encryptionKey] };
    await bouncer.reload(both);
    expect(await resealKeys(operator, both)).toBeGreaterThan(0);
    await bouncer.reload({ encryptionKeys: [newKey] });
    await expect(bouncer.reload({})).rejects.toThrow(SealedKeyError);
    await expect(bouncer.addNode({ encryptionKeys: [] })).rejects.toThrow(SealedKeyError);
    await expect(resealKeys(operator, { encryptionKeys })).rejects.toThrow(OperatorError);
    await bouncer.reload({ encryptionKeys: [encryptionKey, newKey] });
    await resealKeys(operator, { encryptionKeys: [encryptionKey, newKey] });
    await bouncer.reload({});
  });

  test('is required to create a key', async () => {
    await expect(createKey(operator, { encryptionKeys: [] })).rejects.toThrow(
      'Set BELLHOP_BOUNCER_ENCRYPTION_KEY',
    );
  });

  test('of a running node that cannot open a new key is reported once, and its other keys work', async () => {
    const foreign = sealing.generateKeyPair();
    const errors = () => bouncer.errors().filter(({ alarm }) => alarm === 'keys');
    const before = errors().length;
    await bouncer.kysely
      .insertInto('registration_key')
      .values({
        public_key: foreign.publicKey,
        sealed_secret: sealSecret(
          { secret: foreign.secretKey, publicText: foreign.publicKey },
          randomKey(),
        ),
        created_at: new Date(),
        retired_at: null,
      })
      .execute();
    await expect
      .poll(async () => [await registerWith(foreign.publicKey, bouncer.url), errors().length])
      .toEqual(['INVALID_BOUNCER_PUBLIC_KEY', before + 1]);
    expect(await registerWith(bouncer.keyPair.publicKey, bouncer.url)).toBeTypeOf('number');
    await bouncer.kysely
      .deleteFrom('registration_key')
      .where('public_key', '=', foreign.publicKey)
      .execute();
  });
});

test('a sealed secret opens only with its key, beside its public text, and unchanged', () => {
  const sealed = sealSecret({ secret: 'secret', publicText: 'public' }, encryptionKey);
  const changed = Buffer.from(sealed);
  changed.writeUInt8(changed.readUInt8(30) ^ 1, 30);
  expect(openSecret(sealed, 'public', [randomKey(), encryptionKey])).toBe('secret');
  expect(openSecret(sealed, 'other', encryptionKeys)).toBeUndefined();
  expect(openSecret(sealed, 'public', [randomKey()])).toBeUndefined();
  expect(openSecret(changed, 'public', encryptionKeys)).toBeUndefined();
});
