import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createClientFor } from '@bellhop/client';
import { createTestDatabase } from '@bellhop/postgres/testing';
import { bouncer as contract, bouncerV1 } from '@bellhop/protocol';
import { type KeyPair, sealing, sealJson } from '@bellhop/push-crypto';
import { expect, test, vi } from 'vitest';

import { startProgram } from '../support/program.ts';

const envText = ({ publicKey, secretKey }: KeyPair) => `${publicKey}:${secretKey}`;

test('SIGHUP makes a bouncer take over a new key pair without failing a registration under way', async () => {
  await using ends = new AsyncDisposableStack();
  const { url: databaseUrl } = ends.use(await createTestDatabase());
  const directory = await mkdtemp(join(tmpdir(), 'bouncer-reload-'));
  ends.defer(() => rm(directory, { recursive: true }));
  const file = join(directory, 'keys');
  const [older, newer] = [sealing.generateKeyPair(), sealing.generateKeyPair()];
  await writeFile(file, envText(older));
  const program = ends.use(
    await startProgram(['bouncer'], {
      ready: /"msg":"listening"/,
      env: {
        BELLHOP_BOUNCER_DATABASE_URL: databaseUrl,
        BELLHOP_BOUNCER_KEYS: '',
        BELLHOP_BOUNCER_KEYS_FILE: file,
        BELLHOP_BOUNCER_SERVERS: 'any',
        BELLHOP_BOUNCER_PORT: '0',
        BELLHOP_BOUNCER_RATE_LIMIT: '1000000',
      },
    }),
  );
  const url = /"url":"([^"]+)"/.exec(program.output())?.[1] ?? '';
  const org = { zulip_org_id: randomUUID(), zulip_org_key: randomBytes(32).toString('hex') };
  const servers = createClientFor(contract, { url, prefix: '/api/v1/remotes' }).servers;
  await servers.register({ ...org, hostname: 'chat.test', contact_email: 'admin@chat.test' });
  const { push, servers: ownServer } = createClientFor(contract, {
    url,
    prefix: '/api/v1/remotes',
    email: org.zulip_org_id,
    apiKey: org.zulip_org_key,
  });
  const realm_uuid = randomUUID();
  await ownServer.announce({
    realm_counts: [],
    installation_counts: [],
    realms: [{ id: 1, host: 'h', url: 'https://h', uuid: realm_uuid, uuid_owner_secret: 's' }],
  });
  const registerWith = (key: KeyPair) =>
    push.register({
      realm_uuid,
      push_account_id: randomBytes(8).readBigInt64LE(),
      encrypted_push_registration: sealJson(
        sealing,
        { token: randomUUID(), token_kind: 'fcm', timestamp: Math.floor(Date.now() / 1_000) },
        key.publicKey,
      ),
      bouncer_public_key: key.publicKey,
    });
  const { keys } = createClientFor(bouncerV1, { url, prefix: '/v1' });
  const publicKeys = async () => (await keys.list({})).keys.map(({ public_key }) => public_key);

  let isDone = false;
  let registered = 0;
  const phones = Array.from({ length: 4 }, async () => {
    for (; !isDone; registered++) await registerWith(older);
  });
  // A test that fails ends them before the bouncer ends.
  ends.defer(async () => {
    isDone = true;
    await Promise.allSettled(phones);
  });
  await expect(registerWith(newer)).rejects.toMatchObject({ code: 'INVALID_BOUNCER_PUBLIC_KEY' });
  await writeFile(file, `${envText(older)},${envText(newer)}`);
  program.child.kill('SIGHUP');
  await vi.waitFor(
    async () => expect(await publicKeys()).toEqual([newer.publicKey, older.publicKey]),
    15_000,
  );
  await registerWith(newer);

  await writeFile(file, 'no keys');
  program.child.kill('SIGHUP');
  await vi.waitFor(() => expect(program.output()).toContain('keeps its configuration'), 15_000);
  expect(program.output()).toContain('BELLHOP_BOUNCER_KEYS_FILE: must hold pairs');
  await registerWith(newer);
  isDone = true;
  await Promise.all(phones);
  expect(registered).toBeGreaterThan(4);
  for (const { secretKey } of [older, newer]) expect(program.output()).not.toContain(secretKey);
  expect(await program.signal('SIGTERM')).toBe(0);
}, 90_000);
