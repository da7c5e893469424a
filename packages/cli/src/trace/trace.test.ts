import { randomUUID } from 'node:crypto';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { listen } from '@bellhop/http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { runBellhop, stubVariables } from '../run-bellhop.fixture.ts';

const CIPHER_ID = '0123456789abcdef';
const at = Date.UTC(2026, 0, 1, 9, 14, 3);
const stage = {
  stage: 'request',
  began_ms: at,
  ended_ms: at + 30,
  trace_id: 'ab'.repeat(16),
  attempts: [
    {
      number: 1,
      started_ms: at + 5,
      answered_ms: at + 25,
      environment: 'production',
      app: 'org.example',
      bytes: 600,
      max_bytes: 4096,
      session: 3,
      waited_ms: 0,
      status: 429,
      retry_after: 60,
      verdict: 'retry',
      // A provider's text may hold anything.
      reason: 'TooMany\u001b[31mRequests',
      wait_seconds: 60,
    },
  ],
  outcome: 'queued',
  reason: 'TooManyRequests',
  provider_id: null,
  retry_at: at / 1_000 + 60,
};
const sent = {
  cipher_id: CIPHER_ID,
  push_id: randomUUID(),
  server_uuid: randomUUID(),
  realm_uuid: randomUUID(),
  device_id: 7,
  provider: 'apns',
  token_hash: 'c0ffee123456',
  priority: '10',
  expires_ms: null,
  stages: [stage],
  outcome: 'queued',
  explanation: 'The bouncer keeps it and tries again.',
};

let ends: AsyncDisposableStack;
beforeEach(async () => {
  ends = new AsyncDisposableStack();
  const directory = ends.use(await mkdtempDisposable(`${tmpdir()}/bellhop-trace-`));
  vi.stubEnv('BELLHOP_DATA_DIR', directory.path);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await ends.disposeAsync();
});

/** A bouncer that answers everybody the same; the requests that it got. */
async function bouncerWith(answer: object): Promise<{ seen: string[]; url: string }> {
  const seen: string[] = [];
  const { url } = ends.use(
    await listen((request, response) => {
      seen.push(`${request.headers.authorization} ${request.url}`);
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ result: 'success', msg: '', ...answer }));
    }),
  );
  vi.stubEnv('BELLHOP_BOUNCER_URL', url);
  return { seen, url };
}

test('bellhop trace prints every attempt of a push by time, without control characters', async () => {
  const { seen } = await bouncerWith({ traces: [sent] });
  vi.stubEnv('BELLHOP_BOUNCER_ORG_ID', sent.server_uuid);
  vi.stubEnv('BELLHOP_BOUNCER_ORG_KEY', 'k'.repeat(64));
  const { code, out } = await runBellhop('trace', CIPHER_ID);
  expect(code).toBe(0);
  expect(out.trimEnd().split('\n')).toEqual([
    `${CIPHER_ID}: The bouncer keeps it and tries again.`,
    `  09:14:03.000  bouncer   received for device 7 (token c0ffee123456), priority 10, trace ${stage.trace_id}`,
    '  09:14:03.005  link      attempt 1: 429 TooManyRequests (retry in 60 s, Retry-After 60 s, 20 ms, 600 of 4096 bytes, connection 3, org.example)',
    '  09:14:03.030  bouncer   queued: TooManyRequests, next attempt 2026-01-01T09:15:03.000Z',
    '  -             server    no right: it tells the user whose phone it is',
    expect.stringMatching(
      /^  - {13}provider  only the simulator of a phone here tells: no phone in .*bellhop-trace-/,
    ),
    expect.stringMatching(
      /^  - {13}phone     no phone in .*bellhop-trace-\S+ shows it \(BELLHOP_DATA_DIR, default \.bellhop\)$/,
    ),
  ]);
  const login = btoa(`${sent.server_uuid}:${'k'.repeat(64)}`);
  expect(seen).toEqual([expect.stringContaining(`Basic ${login} /v1/traces?`)]);
  const { out: json } = await runBellhop('trace', CIPHER_ID, '--json');
  expect(JSON.parse(json)).toMatchObject({ cipher_id: CIPHER_ID, bouncer: [{ device_id: 7 }] });
});

test('bellhop trace reads the trace from the bouncer with the token of its operator', async () => {
  const { seen, url } = await bouncerWith({ pushes: [{ ...sent, at_ms: at }] });
  const token = 't'.repeat(64);
  vi.stubEnv('BELLHOP_BOUNCER_OPERATOR_TOKEN', token);
  expect((await runBellhop('trace', CIPHER_ID)).out).toContain('attempt 1: 429 TooMany');
  const file = join(process.env['BELLHOP_DATA_DIR'] ?? '', 'token');
  await writeFile(file, `${token}\n`);
  vi.stubEnv('BELLHOP_BOUNCER_OPERATOR_TOKEN', '');
  vi.stubEnv('BELLHOP_BOUNCER_OPERATOR_TOKEN_FILE', file);
  vi.stubEnv('BELLHOP_BOUNCER_URL', '');
  vi.stubEnv('SUDO_USER', 'ada');
  const named = ['trace', CIPHER_ID, '--bouncer', url];
  expect((await runBellhop(...named)).out).toContain('attempt 1: 429 TooMany');
  expect(seen).toEqual([
    expect.stringContaining(`/v1/admin/pushes?cipher_id=${CIPHER_ID}`),
    `Basic ${btoa(`ada:${token}`)} /v1/admin/pushes?cipher_id=${CIPHER_ID}`,
  ]);
});

test.each([
  ['xyz', {}, /^There is no phone xyz, and the ID of a notification is 16 hexadecimal digits/],
  ['0123456789ABCDEF', {}, /^No phone here has got 0123456789abcdef, /],
  [
    `${CIPHER_ID} --bouncer http://127.0.0.1:1`,
    {},
    /^Give --bouncer, --org-id and --org-key together, or --bouncer with BELLHOP_BOUNCER_OPERATOR_TOKEN/,
  ],
  [CIPHER_ID, {}, /^No phone here has got 0123456789abcdef, .*: which bouncer\? Give --bouncer/],
  [
    CIPHER_ID,
    { BELLHOP_BOUNCER_URL: 'http://127.0.0.1:1', BELLHOP_BOUNCER_OPERATOR_TOKEN: 't' },
    /: the bouncer does not answer: /,
  ],
])('bellhop trace %s says what is missing', async (id, environment, message) => {
  stubVariables(environment);
  const { code, out, err } = await runBellhop('trace', ...id.split(' '));
  expect([code, out]).toEqual([1, '']);
  expect(err).toMatch(message);
});
