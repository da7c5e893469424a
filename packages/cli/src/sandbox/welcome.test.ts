import { resolve } from 'node:path';

import { expect, test } from 'vitest';

import { welcome } from './welcome.ts';

const simulator = {
  fcm_url: 'https://127.0.0.1:1',
  apns_url: 'https://127.0.0.1:2',
  webpush_url: 'https://127.0.0.1:3',
  control_url: 'http://127.0.0.1:4',
  control_token: 't',
};
const file = {
  base_url: 'http://localhost:4600',
  bouncer_url: 'http://127.0.0.1:4601',
  bouncer_public_key: 'key',
  app_id: 'org.example.app',
  console_url: 'http://localhost:4600/console/',
  simulator,
  users: [],
  bots: [],
  devices: [],
  channels: [],
};

test.each([
  ['.bellhop', undefined],
  [resolve('.bellhop'), undefined],
  ["two's", `  export BELLHOP_DATA_DIR='${resolve("two'\\''s")}'`],
])('the welcome of a sandbox in %s says how a second shell finds it', (dataDir, line) => {
  const text = welcome(file, { dataDir, signInLink: '', outbox: '', seconds: '1.0 s' });
  const found = text.split('\n').find((one) => one.includes('BELLHOP_DATA_DIR'));
  expect(found).toBe(line);
});
