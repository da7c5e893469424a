import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { runBellhop } from '../../run-bellhop.fixture.ts';
import { startOperatedBouncer } from '../operated-bouncer.fixture.ts';

const [serverUuid, realmUuid] = [randomUUID(), randomUUID()];
const token = 'the token of a phone';

let running: Awaited<ReturnType<typeof startOperatedBouncer>>;
let deviceId: string;
beforeAll(async () => {
  running = await startOperatedBouncer();
  const { kysely } = running;
  await kysely
    .insertInto('remote_server')
    .values({
      server_uuid: serverUuid,
      key_hash: Buffer.from('hash'),
      former_key_hash: null,
      former_key_until: null,
      hostname: 'chat.example.com',
      contact_email: 'admin@example.com',
      version: null,
    })
    .execute();
  await kysely
    .insertInto('remote_realm')
    .values({
      realm_uuid: realmUuid,
      server_uuid: serverUuid,
      owner_secret_hash: Buffer.from('hash'),
      realm_id: 1,
      host: 'chat.example.com',
      url: 'https://chat.example.com',
      name: 'Chat',
      deactivated: false,
    })
    .execute();
  const { device_id } = await kysely
    .insertInto('device')
    .values({
      realm_uuid: realmUuid,
      push_account_id: 2n ** 60n + 1n,
      token_hash: Buffer.from('hash'),
      token,
      token_kind: 'fcm',
      ios_app_id: null,
      bouncer_public_key: 'key',
      registered_at: 0,
      expired_at: null,
      quarantined_until: null,
    })
    .returning('device_id')
    .executeTakeFirstOrThrow();
  deviceId = String(device_id);
});
afterAll(() => running[Symbol.asyncDispose]());

const bouncer = (...args: readonly string[]) => runBellhop('bouncer', ...args);

test('bellhop bouncer devices lists, shows and deletes devices without printing a token', async () => {
  const listed = await bouncer('devices', 'list', '--realm-uuid', realmUuid, '--json');
  expect(JSON.parse(listed.out)).toMatchObject({
    device_id: Number(deviceId),
    push_account_id: '1152921504606846977',
    registered_ms: 0,
  });
  const shown = await bouncer('devices', 'show', deviceId);
  expect(shown.out).toMatch(/^device_id +\d+$/m);
  for (const { out } of [listed, shown]) expect(out).not.toContain(token);
  expect((await bouncer('devices', 'delete', deviceId)).out).toBe(
    `The device ${deviceId} was deleted with all data about it.\n`,
  );
  expect((await bouncer('devices', 'list')).out).toBe('No devices.\n');
  expect(await bouncer('devices', 'list', '--json')).toEqual({ code: 0, out: '', err: '' });
  const gone = await bouncer('devices', 'show', deviceId);
  expect([gone.code, gone.err]).toEqual([1, `There is no device ${deviceId}.\n`]);
});

test('an export whose reader has gone ends quietly', async () => {
  await sql`insert into audit_entry (at, actor, action, server_uuid, detail)
    select now(), 'operator ada', 'quota_set', ${serverUuid}, '{}' from generate_series(1, 3000)`.execute(
    running.kysely,
  );
  const program = fileURLToPath(new URL('../../../bin/bellhop.js', import.meta.url));
  const child = spawn(process.execPath, [program, 'bouncer', 'servers', 'export', serverUuid]);
  const said = text(child.stderr);
  child.stdout.once('data', () => child.stdout.destroy());
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(await said).toBe('');
});

test('bellhop bouncer servers export prints JSON lines, and delete needs --yes', async () => {
  const { out } = await bouncer('servers', 'export', 'chat.example.com');
  const types = out
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { type: string }).type);
  expect(types.slice(0, 3)).toEqual(['server', 'quotas', 'realm']);
  const other = randomUUID();
  expect(await bouncer('servers', 'delete-realm', serverUuid, other)).toEqual({
    code: 1,
    out: '',
    err: `chat.example.com has no realm ${other}.\n`,
  });
  const asked = await bouncer('servers', 'delete', serverUuid);
  expect([asked.code, asked.out]).toEqual([
    1,
    `chat.example.com (${serverUuid}): realms 1, living devices 0. Nothing was deleted: add --yes.\n`,
  ]);
  expect((await bouncer('servers', 'delete-realm', serverUuid, realmUuid, '--yes')).out).toBe(
    `The realm ${realmUuid} of ${serverUuid} was deleted, with its devices and all data.\n`,
  );
  expect((await bouncer('servers', 'delete', serverUuid, '--yes')).out).toBe(
    'chat.example.com was deleted, with its realms, their devices and all data.\n',
  );
  expect((await bouncer('servers', 'list')).out).toBe('No servers.\n');
});
