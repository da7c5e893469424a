import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { roles } from '@bellhop/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

import { commandRunner } from './support/command-runner.ts';
import { type TemporarySandbox, temporarySandbox } from './support/temporary-sandbox.ts';

let temporary: TemporarySandbox;
beforeAll(async () => {
  temporary = await temporarySandbox();
});
afterAll(() => temporary[Symbol.asyncDispose]());

const bellhop = commandRunner(() => ({ BELLHOP_DATA_DIR: temporary.dataDir }));
const add = (...words: readonly string[]) => bellhop('device', 'add', ...words);
const trace = (...words: readonly string[]) => bellhop('trace', ...words);

const Trace = z.looseObject({
  cipher_id: z.string(),
  server: z.looseObject({ message_id: z.int().nullable() }).nullable(),
  arrivals: z.array(z.looseObject({})),
  silent: z.record(z.string(), z.string()),
});
/** The trace of the push of a message to the phone, once it has arrived. */
async function seen(phone: string, message: number) {
  const found = () => traceOf(phone, message);
  await expect
    .poll(async () => (await found())?.arrivals.length, { timeout: 20_000, interval: 500 })
    .toBe(1);
  return found();
}
/** The trace of the push of a message to the phone. */
async function traceOf(phone: string, message: number, ...flags: readonly string[]) {
  const { output } = await trace(phone, '--json', ...flags);
  const traces = output
    .trim()
    .split('\n')
    .map((line) => Trace.parse(JSON.parse(line)));
  return traces.find(({ server }) => server?.message_id === message);
}
/** Waits until the bouncer has answered the server for the device, then shows the trace. */
async function arrived(phone: string, message_id: number) {
  const push_account_id = BigInt((await phoneEntry(phone)).identity.push_account_id);
  const outcome = async () => {
    const { traces } = await temporary
      .as(roles.member)
      .devices.traces({ message_id, push_account_id });
    return traces[0]?.outcome;
  };
  await expect.poll(outcome, { timeout: 20_000 }).toBe('accepted');
  const found = await traceOf(phone, message_id);
  if (!found) throw new Error('The trace is gone');
  return found;
}

const PhoneEntry = z.object({
  name: z.string(),
  token: z.string(),
  identity: z.object({ push_account_id: z.string() }),
});
/** The phone as `bellhop device add` has stored it. */
async function phoneEntry(name: string): Promise<z.output<typeof PhoneEntry>> {
  const directory = join(temporary.dataDir, 'phones');
  for (const file of await readdir(directory)) {
    const entry = PhoneEntry.parse(JSON.parse(await readFile(join(directory, file), 'utf8')));
    if (entry.name === name) return entry;
  }
  throw new Error(`There is no phone ${name}`);
}

/** Switches a fault of the simulated providers on. */
async function switchOn(fault: object): Promise<void> {
  const { control_url, control_token } = temporary.sandbox.file.simulator;
  const { status } = await fetch(`${control_url}/faults`, {
    method: 'POST',
    headers: { authorization: `Bearer ${control_token}`, 'content-type': 'application/json' },
    body: JSON.stringify(fault),
  });
  expect(status).toBe(200);
}

/** Sends the member a direct message. */
async function sayToMember(content: string): Promise<number> {
  const member = temporary.sandbox.file.users.find(({ role }) => role === roles.member);
  const to = [member?.user_id ?? 0];
  return (await temporary.as(roles.owner).messages.send({ type: 'direct', to, content })).id;
}

test('a message that Apple first refuses is traced over all five services, by its phone or its ciphertext', async () => {
  expect(await add('iphone', '--kind', 'apns')).toMatchObject({ code: 0 });
  const fault = { status: 429, reason: 'TooManyRequests', retry_after: 1 };
  const { token } = await phoneEntry('iphone');
  await switchOn({ provider: 'apns', times: 1, match: { token }, fault });
  const message = await sayToMember('lunch?');
  const joined = await arrived('iphone', message);
  const { cipher_id } = joined;
  expect(joined).toMatchObject({
    phone: 'iphone',
    verdict: 'arrived after 2 attempts',
    server: {
      cipher_id,
      type: 'message',
      trigger: 'direct_message',
      outcome: 'accepted',
      max_plaintext_bytes: 2900,
      attempts: [{ outcome: 'accepted' }],
    },
    bouncer: [
      {
        cipher_id,
        provider: 'apns',
        priority: '10',
        outcome: 'accepted',
        stages: [
          {
            stage: 'request',
            attempts: [
              {
                number: 1,
                status: 429,
                reason: 'TooManyRequests',
                retry_after: 1,
                verdict: 'retry',
              },
              { number: 2, status: 200, reason: null, verdict: 'accepted' },
            ],
          },
        ],
      },
    ],
    attempts: [
      { status: 429, outcome: 'fault: TooManyRequests', limit: 4096 },
      { status: 200, outcome: 'delivered' },
    ],
    arrivals: [{ payload: { type: 'message', message_id: message, content: 'lunch?' } }],
    silent: {},
    notes: [],
  });
  const { output } = await trace(cipher_id);
  expect((await trace('iphone')).output).toContain(output);
  const hops = [
    ['server', `message ${message}, pushed as a direct message`],
    ['server', 'encrypted for the key [0-9a-f]{16}, \\d+ of 2900 bytes'],
    ['server', 'sent to the bouncer'],
    ['bouncer', 'received for device \\d+ \\(token [0-9a-f]{12}\\), priority 10'],
    ['link', 'attempt 1: 429 TooManyRequests \\(retry in 1 s, Retry-After 1 s, '],
    ['provider', '429 fault: TooManyRequests \\(.*\\), \\d+ of 4096 bytes'],
    ['link', 'attempt 2: 200 \\(accepted, '],
    ['provider', '200 delivered, \\d+ of 4096 bytes'],
    ['phone', `message ${message}, direct, .*: lunch\\?`],
    ['server', 'accepted \\(\\d+ ms\\)'],
  ];
  for (const [hop = '', text] of hops)
    expect(output).toMatch(new RegExp(`^ {2}[\\d:.]{12} {2}${hop.padEnd(8)} {2}${text}`, 'm'));
});

test('without the phone, a bouncer shows its part of a push to its operator and to the chat server that sent it', async () => {
  expect(await add('tablet')).toMatchObject({ code: 0 });
  const { cipher_id } = await arrived('tablet', await sayToMember('cake?'));
  const State = z.object({ org_id: z.string(), org_key: z.string(), operator_token: z.string() });
  const text = await readFile(join(temporary.dataDir, 'state.json'), 'utf8');
  const { org_id, org_key, operator_token } = State.parse(JSON.parse(text));
  const elsewhere = {
    BELLHOP_DATA_DIR: join(temporary.dataDir, 'nothing-here'),
    BELLHOP_BOUNCER_URL: temporary.sandbox.file.bouncer_url,
  };
  for (const login of [
    { BELLHOP_BOUNCER_OPERATOR_TOKEN: operator_token },
    { BELLHOP_BOUNCER_ORG_ID: org_id, BELLHOP_BOUNCER_ORG_KEY: org_key },
  ]) {
    const from = commandRunner(() => ({ ...elsewhere, ...login }));
    const { code, output } = await from('trace', cipher_id);
    expect(code).toBe(0);
    expect(output).toMatch(new RegExp(`^${cipher_id}: `));
    expect(output).toMatch(/ phone {5}no phone in \S+nothing-here shows it/);
    expect(output).toMatch(/ link {6}attempt 1: 200 \(accepted, /);
    expect(output).toMatch(/ server {4}no right: it tells the user whose phone it is$/m);
    const unknown = await from('trace', 'f'.repeat(16));
    expect(unknown.output).toMatch(
      /^No phone here has got f{16}, and the bouncer has no trace of it/,
    );
  }
});

test('a push to a browser is traced by its ciphertext, which Web Push encrypts once more', async () => {
  const added = await add('browser', '--kind', 'webpush');
  expect(added).toMatchObject({ code: 0 });
  const message = await sayToMember('coffee?');
  expect(await arrived('browser', message)).toMatchObject({
    verdict: 'arrived at the first attempt',
    bouncer: [{ provider: 'webpush', stages: [{ attempts: [{ status: 201 }] }] }],
    attempts: [{ status: 201, outcome: 'delivered' }],
    silent: {},
  });
});

test('the trace names a bouncer that refuses the login with its reason, and shows the rest', async () => {
  const { bouncer_url } = temporary.sandbox.file;
  expect(await add('pixel')).toMatchObject({ code: 0 });
  const message = await sayToMember('tea?');
  await arrived('pixel', message);
  const login = ['--org-id', '6f1b34d2-04b7-4a0c-a9ab-5b4ed0b1dd8b', '--org-key', 'k'.repeat(64)];
  const refused = await traceOf('pixel', message, '--bouncer', bouncer_url, ...login);
  expect(refused).toMatchObject({ bouncer: [], verdict: 'arrived at the first attempt' });
  expect(refused?.silent['bouncer']).toMatch(/^no right: /);
  const { output } = await trace('pixel', '--bouncer', bouncer_url);
  expect(output).toMatch(/^Give --bouncer, --org-id and --org-key together/);
});

test.each(['account', 'device'])(
  'what had arrived is traced after a new key and a new token, and not denied after a restart: generation %s',
  async (generation) => {
    const name = `${generation}-phone`;
    expect((await add(name, '--generation', generation)).code).toBe(0);
    const message = await sayToMember('soup?');
    const before = await seen(name, message);
    expect(before).toMatchObject({ verdict: 'arrived at the first attempt' });
    for (const flags of [[], ['--new-token'], []]) {
      expect((await bellhop('device', 'rotate', name, ...flags)).code).toBe(0);
      expect(await traceOf(name, message)).toMatchObject({
        verdict: 'arrived at the first attempt',
        arrivals: [{ payload: { content: 'soup?' } }],
        silent: {},
      });
    }
    await temporary.restart();
    expect(await traceOf(name, message)).toMatchObject({
      arrivals: [],
      verdict: 'The provider accepted it.',
      silent: {
        provider: 'no longer known: it keeps its latest 1000 requests, until it stops',
        phone: 'no longer known: its provider has forgotten the push',
      },
    });
  },
);
