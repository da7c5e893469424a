import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { listen } from '@bellhop/http';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { runningSandbox } from './running-sandbox.ts';
import {
  readSandboxFile,
  removeSandboxFile,
  type SandboxFile,
  writeSandboxFile,
} from './sandbox-file.ts';

const example: SandboxFile = {
  base_url: 'http://localhost:1',
  bouncer_url: 'http://127.0.0.1:1',
  bouncer_public_key: 'key',
  app_id: 'org.example.app',
  console_url: 'http://127.0.0.1:1',
  simulator: {
    fcm_url: 'https://a',
    apns_url: 'https://b',
    webpush_url: 'https://w',
    control_url: 'http://c',
    control_token: 't',
  },
  users: [],
  bots: [],
  devices: [
    { name: 'iPhone', user_id: 8, push_account_id: '-5', device_id: null, token_kind: 'apns' },
  ],
  channels: [{ stream_id: 1, name: 'general' }],
};

let dataDir = '';
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bellhop-file-'));
});
afterEach(() => rm(dataDir, { recursive: true }));

test('writeSandboxFile replaces an older file, readable by its owner only', async () => {
  const path = join(dataDir, 'sandbox.json');
  await writeFile(path, 'older', { mode: 0o644 });
  await writeSandboxFile(dataDir, example);
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(example);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(dataDir)).toEqual(['sandbox.json']);
  await removeSandboxFile(dataDir);
  await removeSandboxFile(dataDir);
  expect(await readdir(dataDir)).toEqual([]);
});

test('readSandboxFile returns undefined for a missing or damaged file', async () => {
  expect(await readSandboxFile(dataDir)).toBeUndefined();
  for (const text of ['{', '{}']) {
    await writeFile(join(dataDir, 'sandbox.json'), text);
    expect(await readSandboxFile(dataDir)).toBeUndefined();
  }
});

test('runningSandbox finds a sandbox only if its server knows the API key of the file', async () => {
  const login = { email: 'max@bellhop.example', api_key: 'k', password: 'p' };
  const user = { ...login, user_id: 8, full_name: 'Max', role: 400 };
  const answers: unknown[] = [];
  await using server = await listen((_request, response) => {
    response.end(JSON.stringify(answers.shift()));
  });
  const file = { ...example, base_url: server.url, users: [user] };
  await writeSandboxFile(dataDir, file);
  expect(await runningSandbox(dataDir)).toBeUndefined();
  answers.push({ result: 'error', code: 'INVALID_API_KEY', msg: 'Invalid API key' });
  expect(await runningSandbox(dataDir)).toBeUndefined();
  answers.push({ user_id: 9 }, { user_id: 8 });
  expect(await runningSandbox(dataDir)).toBeUndefined();
  expect(await runningSandbox(dataDir)).toEqual(file);
});
