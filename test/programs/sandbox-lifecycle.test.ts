import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, parse } from 'node:path';

import { createClient } from '@bellhop/client';
import { listen } from '@bellhop/http';
import { createTestDatabase } from '@bellhop/postgres/testing';
import { roles } from '@bellhop/protocol';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';

import { embeddedPostgresPid } from '../support/embedded-postgres-pid.ts';
import { bin, type Program, runProgram, startProgram } from '../support/program.ts';

const ready = /Ctrl-C stops everything/;
/** A line of the log: a start has nothing to warn of. */
const logged = /^\{/m;
const File = z.strictObject({
  base_url: z.url(),
  bouncer_url: z.url(),
  app_id: z.string(),
  bouncer_public_key: z.base64(),
  console_url: z.url(),
  simulator: z.strictObject({
    fcm_url: z.url(),
    apns_url: z.url(),
    webpush_url: z.url(),
    control_url: z.url(),
    control_token: z.string(),
  }),
  users: z.array(
    z.strictObject({
      user_id: z.int(),
      email: z.email(),
      full_name: z.string().min(1),
      role: z.int(),
      password: z.string().min(8),
      api_key: z.string().min(20),
    }),
  ),
  bots: z
    .array(
      z.strictObject({
        user_id: z.int(),
        email: z.string().includes('@'),
        api_key: z.string().min(20),
        token: z.string().min(20),
        payload_url: z.url(),
      }),
    )
    .length(1),
  devices: z
    .array(
      z.strictObject({
        name: z.string(),
        user_id: z.int(),
        push_account_id: z.string().regex(/^-?\d+$/),
        device_id: z.null(),
        token_kind: z.enum(['fcm', 'apns', 'webpush']),
      }),
    )
    .length(3),
  channels: z.array(z.strictObject({ stream_id: z.int(), name: z.string() })).min(1),
});

let dataDir = '';
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bellhop-life-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const fileOf = async (directory: string) =>
  File.parse(JSON.parse(await readFile(join(directory, 'sandbox.json'), 'utf8')));
const start = (env: Record<string, string> = {}, user?: number) =>
  startProgram(['sandbox'], {
    env: { BELLHOP_PORT: '0', BELLHOP_DATA_DIR: dataDir, ...env },
    ready,
    ...(user === undefined ? {} : { user }),
  });
/** Calls the API as the first of the users. */
async function asOwner({ base_url, users }: z.output<typeof File>, route: string, fields = {}) {
  const [method = '', path = ''] = route.split(' ');
  const { email, api_key } = users[0] ?? { email: '', api_key: '' };
  const response = await fetch(`${base_url}/api/v1${path}`, {
    method,
    headers: { authorization: `Basic ${btoa(`${email}:${api_key}`)}` },
    body: new URLSearchParams(fields),
  });
  expect(response.status).toBe(200);
}
const clientOf = ({ base_url, users }: z.output<typeof File>, role: number) => {
  const { email = '', api_key = '' } = users.find((one) => one.role === role) ?? {};
  return createClient({ url: base_url, email, apiKey: api_key });
};
/** Keeps the phones as the first version did: without kind and owner, which the names tell. */
async function keepPhonesInState() {
  const directory = join(dataDir, 'phones');
  const phones: Record<string, object> = {};
  for (const file of await readdir(directory)) {
    const text = await readFile(join(directory, file), 'utf8');
    const { name, token, identity } = JSON.parse(text) as Record<'name' | 'token', string> & {
      identity: object;
    };
    phones[name] = { token, identity: JSON.stringify(identity) };
  }
  await rm(directory, { recursive: true });
  const path = join(dataDir, 'state.json');
  const state = JSON.parse(await readFile(path, 'utf8')) as object;
  await writeFile(path, JSON.stringify({ ...state, phones }));
}
const tryIt = (what: string, env: Record<string, string> = {}) =>
  runProgram(['try', what], { BELLHOP_DATA_DIR: dataDir, ...env });

describe('a sandbox that starts again on its data directory', () => {
  let first: z.output<typeof File>;
  let killed: Program;
  const ends = new AsyncDisposableStack();
  afterAll(() => ends.disposeAsync());

  test('sandbox.json is complete and private, both try commands work, the delivery has a line, and the variables that have an effect are known', async () => {
    const program = ends.use(
      await start({ BELLHOP_PUBLIC_FEATURE_LEVEL: '469', BELLHOP_RATE_LIMIT_USER: '1/60' }),
    );
    expect(program.output()).toMatch(/^The sandbox ignores .*BELLHOP_RATE_LIMIT_USER/m);
    killed = program;
    expect(program.output()).not.toContain('!!');
    expect(program.output()).toContain(`\n  export BELLHOP_DATA_DIR='${dataDir}'\n`);
    expect(program.output()).not.toMatch(logged);
    first = await fileOf(dataDir);
    const settings = await fetch(`${first.base_url}/api/v1/server_settings`);
    expect(await settings.json()).toMatchObject({ zulip_feature_level: 469 });
    expect(first.users.map(({ role }) => role)).toEqual([100, 200, 300, 400, 600]);
    expect((await stat(join(dataDir, 'sandbox.json'))).mode & 0o777).toBe(0o600);
    for (const { email, password } of first.users)
      expect(program.output()).toMatch(new RegExp(`${email} +${password} `));
    const message = await tryIt('message');
    expect(message).toMatchObject({ code: 0, output: expect.stringMatching(/^Echo Bot: Hello/m) });
    await expect
      .poll(program.output)
      .toMatch(/ {2}Echo Bot +direct_message +delivered +\d+ ms {2}replied {2}[\w-]{36}$/m);
    const push = await tryIt('push');
    expect(push.code).toBe(0);
    expect(push.output.match(/^and decrypted .*"type":"test"/gm)).toHaveLength(3);

    const second = await runProgram(['sandbox'], { BELLHOP_PORT: '0', BELLHOP_DATA_DIR: dataDir });
    expect(second.code).toBe(1);
    expect(second.output).toContain(`Bellhop already runs in ${dataDir}, at ${first.base_url}: `);
    expect(second.output).not.toMatch(/^ {4}at /m);
    expect((await fetch(`${first.base_url}/livez`)).status).toBe(200);
  }, 180_000);

  test('somebody who is added to the sandbox is subscribed to its channels', async () => {
    const owner = clientOf(first, roles.owner);
    const email = 'new@bellhop.example';
    const details = { email, full_name: 'New', password: 'correct horse battery' };
    const { user_id } = await owner.users.create(details);
    for (const { stream_id } of first.channels)
      expect((await owner.channels.subscribers({ stream_id })).subscribers).toContain(user_id);
  });

  test('after SIGKILL the next start replaces the orphaned PostgreSQL and keeps the data, the phones in the form of the first version, and every event of a queue, also with another address of a person; Ctrl-C stops it', async () => {
    const member = first.users.find(({ role }) => role === 400);
    const email = 'max@elsewhere.example';
    await asOwner(await fileOf(dataDir), `PATCH /users/${member?.user_id}`, { new_email: email });
    const users = first.users.map((user) => (user === member ? { ...user, email } : user));
    const { queue_id, last_event_id } = await clientOf(first, roles.moderator).queues.register({
      event_types: ['message'],
    });
    if (queue_id === null) throw new Error('no queue');
    const sendTo = async (sandbox: typeof first, topic: string) => {
      const message = { type: 'channel', to: 'general', topic, content: topic } as const;
      return (await clientOf(sandbox, roles.owner).messages.send(message)).id;
    };
    const sent: number[] = [];
    for (const topic of ['one', 'two', 'three']) sent.push(await sendTo(first, topic));
    await killed.signal('SIGKILL');
    const orphan = await embeddedPostgresPid(dataDir);
    expect(orphan).toBeTypeOf('number');
    expect(await tryIt('push')).toMatchObject({
      code: 1,
      output: expect.stringContaining('There is no running sandbox in'),
    });
    await keepPhonesInState();
    await using program = await start();
    expect(program.output()).not.toMatch(logged);
    expect(await embeddedPostgresPid(dataDir)).not.toBe(orphan);
    const again = await fileOf(dataDir);
    const lasting = ({ users, bots, devices, channels, bouncer_public_key }: typeof first) => ({
      users,
      bots: bots.map(({ token, email }) => ({ token, email })),
      devices,
      channels,
      bouncer_public_key,
    });
    expect(lasting(again)).toEqual(lasting({ ...first, users }));
    const mona = clientOf(again, roles.moderator);
    const { events } = await mona.queues.events({ queue_id, last_event_id });
    expect(events).toMatchObject(sent.map((id) => ({ type: 'message', message: { id } })));
    const poll = mona.queues.events({ queue_id, last_event_id: events.at(-1)?.id ?? 0 });
    const id = await sendTo(again, 'four');
    expect((await poll).events).toMatchObject([{ message: { id } }]);
    expect((await tryIt('message')).code).toBe(0);
    await asOwner(again, `DELETE /users/${member?.user_id}`);
    await asOwner(again, `PATCH /users/${again.users[1]?.user_id}`, { role: '100' });
    await asOwner(again, 'DELETE /users/me');
    expect(await program.signal('SIGINT')).toBe(0);
    expect(program.output()).toMatch(/Stopping \.\.\.\nStopped\.\n$/);
    expect(await readdir(dataDir)).not.toContain('sandbox.json');
    expect(await embeddedPostgresPid(dataDir)).toBeUndefined();
  }, 180_000);

  test('starts after its member and the owner of the echo bot were deactivated, SIGHUP stops it, and a signal during the start stops it too', async () => {
    await using program = await start();
    expect(program.output()).not.toMatch(logged);
    const { users, devices } = await fileOf(dataDir);
    expect(users).toHaveLength(first.users.length - 2);
    expect((await tryIt('message')).output).toMatch(/^Echo Bot: Hello/m);
    const owners = new Set(users.map(({ user_id }) => user_id));
    expect(devices.filter(({ user_id }) => owners.has(user_id))).toHaveLength(3);
    expect(await program.signal('SIGHUP')).toBe(0);
    expect(await embeddedPostgresPid(dataDir)).toBeUndefined();
    const env = { BELLHOP_PORT: '0', BELLHOP_DATA_DIR: dataDir };
    const starting = await startProgram(['sandbox'], { env, ready: /\.\.\. PostgreSQL/ });
    expect(await starting.signal('SIGINT')).toBe(130);
    expect(starting.output()).not.toMatch(ready);
    expect(await embeddedPostgresPid(dataDir)).toBeUndefined();
  }, 180_000);

  test('a taken port is a one-line error with a remedy, and no process stays', async () => {
    await using taken = await listen(() => {});
    const base = String(taken.port - 1);
    const env = { BELLHOP_PORT: base, BELLHOP_DATA_DIR: dataDir };
    const { code, output } = await runProgram(['sandbox'], env);
    expect(code).toBe(1);
    // Another program of this machine may have the port before it.
    const named = new RegExp(`^Port (${base}|${taken.port}) is taken: .*BELLHOP_PORT=`, 'm');
    expect(output).toMatch(named);
    expect(output).not.toMatch(/^ {4}at /m);
    expect(await embeddedPostgresPid(dataDir)).toBeUndefined();
    expect(await readdir(join(dataDir, 'postgres'))).not.toContain('owner.lock');
  }, 180_000);
});

test('with DATABASE_URL a sandbox uses that PostgreSQL and refuses the data of another sandbox', async () => {
  await using own = await createTestDatabase();
  const directories = await Promise.all(
    ['one', 'two'].map((name) => mkdtemp(join(tmpdir(), `bellhop-${name}-`))),
  );
  const [one = '', two = ''] = directories;
  try {
    const program = await start({ DATABASE_URL: own.url, BELLHOP_DATA_DIR: one });
    expect(program.output()).toContain('ok your PostgreSQL');
    expect((await tryIt('push', { BELLHOP_DATA_DIR: one })).code).toBe(0);
    expect(await program.signal('SIGTERM')).toBe(0);
    expect(await readdir(one)).not.toContain('postgres');
    const other = await runProgram(['sandbox'], {
      DATABASE_URL: own.url,
      BELLHOP_DATA_DIR: two,
      BELLHOP_PORT: '0',
    });
    expect(other.code).toBe(1);
    expect(other.output).toContain(
      'This database belongs to a sandbox with another data directory',
    );
  } finally {
    const admin = new Client(own.url);
    await admin.connect();
    const bouncers = `${new URL(own.url).pathname.slice(1)}_bouncer`;
    await admin.query(`drop database if exists ${bouncers} with (force)`);
    await admin.end();
    for (const directory of directories) await rm(directory, { recursive: true });
  }
}, 180_000);

const NOBODY = 65_534;

/** Whether everybody may enter a directory and those above it. */
async function isOpen(path: string): Promise<boolean> {
  const isEnterable = ((await stat(path)).mode & 0o001) !== 0;
  return isEnterable && (path === parse(path).root || isOpen(dirname(path)));
}
// The other tests run as the user who started them; only root can become another user.
const canBeNobody =
  process.getuid?.() === 0 &&
  (await isOpen(dirname(bin))) &&
  (await isOpen(dirname(process.execPath)));

test.runIf(canBeNobody)(
  'an ordinary user can start a sandbox too',
  async () => {
    const home = await mkdtemp(join(tmpdir(), 'bellhop-nobody-'));
    try {
      await chown(home, NOBODY, NOBODY);
      await chmod(home, 0o700);
      await using program = await start({ BELLHOP_DATA_DIR: home, HOME: home }, NOBODY);
      expect((await stat(join(home, 'sandbox.json'))).uid).toBe(NOBODY);
      expect((await stat(join(home, 'postgres', 'cluster'))).uid).toBe(NOBODY);
      expect((await tryIt('push', { BELLHOP_DATA_DIR: home })).code).toBe(0);
      expect(await program.signal('SIGINT')).toBe(0);
      expect(await embeddedPostgresPid(home)).toBeUndefined();
    } finally {
      await rm(home, { recursive: true });
    }
  },
  180_000,
);

test('no process of the sandbox runs on after npm start gets SIGTERM', async () => {
  const npm = spawn('npm', ['start'], {
    cwd: dirname(dirname(dirname(dirname(bin)))),
    env: { ...process.env, DATABASE_URL: '', BELLHOP_PORT: '0', BELLHOP_DATA_DIR: dataDir },
    detached: true,
  });
  try {
    let output = '';
    npm.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    await expect.poll(() => output, { timeout: 60_000 }).toMatch(ready);
    const { base_url } = await fileOf(dataDir);
    npm.kill('SIGTERM');
    await once(npm, 'exit');
    const answers = () =>
      fetch(base_url).then(
        () => true,
        () => false,
      );
    await expect.poll(answers).toBe(false);
    await expect.poll(() => embeddedPostgresPid(dataDir)).toBeUndefined();
    await expect.poll(() => readdir(dataDir)).not.toContain('sandbox.json');
  } finally {
    if (npm.pid !== undefined) killGroup(npm.pid);
  }
}, 180_000);

/** Kills the processes of a group that still run. */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // All its processes have ended.
  }
}
