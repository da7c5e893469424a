import { randomUUID } from 'node:crypto';

import { type BouncerTables, migrations } from '@bellhop/bouncer';
import { listen } from '@bellhop/http';
import { createTestDatabase } from '@bellhop/postgres/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { runBellhop } from '../run-bellhop.fixture.ts';

const CIPHER_ID = '0123456789abcdef';
const created = await createTestDatabase<BouncerTables>({ migrations });
const pushId = randomUUID();
const at = Date.UTC(2026, 0, 1, 9, 14, 3);

const attempt = {
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
};
const entry = {
  provider: 'apns',
  token_hash: 'c0ffee123456',
  priority: '10',
  expires_ms: null,
  stage: {
    stage: 'request',
    began_ms: at,
    ended_ms: at + 30,
    attempts: [attempt],
    outcome: 'queued',
    reason: 'TooManyRequests',
    provider_id: null,
    retry_at: at / 1_000 + 60,
  },
};

beforeAll(async () => {
  vi.stubEnv('BELLHOP_BOUNCER_DATABASE_URL', created.url);
  await sql`insert into push_trace (realm_uuid, server_uuid, cipher_id, push_id, device_id, at, entry)
    values (${randomUUID()}, ${randomUUID()}, ${CIPHER_ID}, ${pushId}, 7, ${new Date(at)},
      ${JSON.stringify(entry)}::json)`.execute(created.database.kysely);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await created[Symbol.asyncDispose]();
});

const trace = (...words: readonly string[]) => runBellhop('bouncer', 'trace', ...words);

test('bellhop bouncer trace prints every attempt of a push by time, without control characters', async () => {
  const { code, out } = await trace(CIPHER_ID);
  expect(code).toBe(0);
  const [head, ...lines] = out.trimEnd().split('\n');
  expect(head).toMatch(
    new RegExp(`^${CIPHER_ID} {2}push ${pushId} of server [0-9a-f-]{36}, realm `),
  );
  expect(lines).toEqual([
    '  09:14:03.000  bouncer   received for device 7 (token c0ffee123456), priority 10',
    '  09:14:03.005  link      attempt 1: 429 TooManyRequests (retry in 60 s, Retry-After 60 s, 20 ms, 600 of 4096 bytes, connection 3, org.example)',
    '  09:14:03.030  bouncer   queued: TooManyRequests, next attempt 2026-01-01T09:15:03.000Z',
    '  The bouncer keeps it and tries again. Reason: TooManyRequests',
  ]);
  expect(JSON.parse((await trace(CIPHER_ID, '--json')).out)).toMatchObject({
    cipher_id: CIPHER_ID,
    push_id: pushId,
    stages: [{ attempts: [{ status: 429 }] }],
  });
});

test('bellhop bouncer trace explains a malformed cipher ID and one without a trace', async () => {
  const unknown = await trace('f'.repeat(16));
  expect([unknown.code, unknown.out + unknown.err]).toEqual([
    1,
    expect.stringContaining('There is no trace of ffffffffffffffff: this bouncer did not get it'),
  ]);
  const wrong = await trace('xyz');
  expect(wrong.code).not.toBe(0);
  expect(wrong.out + wrong.err).toContain('must be 16 hexadecimal digits');
});

test('bellhop bouncer trace --remote shows the operator of a chat server the traces of its bouncer', async () => {
  const asked = await trace(CIPHER_ID, '--remote');
  expect([asked.code, asked.err]).toEqual([
    1,
    expect.stringContaining('BELLHOP_BOUNCER_URL, BELLHOP_BOUNCER_ORG_ID and'),
  ]);
  const org = { id: randomUUID(), key: 'k'.repeat(64) };
  const seen: string[] = [];
  const bouncer = await listen((request, response) => {
    seen.push(`${request.headers.authorization} ${request.url}`);
    const { provider, token_hash, priority, expires_ms, stage } = entry;
    const one = { cipher_id: CIPHER_ID, push_id: pushId, server_uuid: org.id, device_id: 7 };
    response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        result: 'success',
        msg: '',
        traces: [
          {
            ...one,
            realm_uuid: randomUUID(),
            provider,
            token_hash,
            priority,
            expires_ms,
            stages: [{ ...stage, trace_id: 'ab'.repeat(16) }],
            outcome: 'queued',
            explanation: 'The bouncer keeps it and tries again.',
          },
        ],
      }),
    );
  });
  vi.stubEnv('BELLHOP_BOUNCER_URL', bouncer.url);
  vi.stubEnv('BELLHOP_BOUNCER_ORG_ID', org.id);
  vi.stubEnv('BELLHOP_BOUNCER_ORG_KEY', org.key);
  const { code, out } = await trace(CIPHER_ID, '--remote');
  await bouncer.stop();
  const unreachable = await trace(CIPHER_ID, '--remote');
  expect([code, unreachable.code]).toEqual([0, 1]);
  expect(seen).toEqual([
    expect.stringContaining(`Basic ${btoa(`${org.id}:${org.key}`)} /v1/traces?`),
  ]);
  expect(out).toContain(`priority 10, trace ${'ab'.repeat(16)}\n`);
  expect(out).toContain('attempt 1: 429 TooMany');
});
