import type {
  BouncerTrace,
  LinkAttempt,
  ProviderRequest,
  PushArrival,
  PushStage,
  PushTrace,
} from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { bouncerLines } from './bouncer-lines.ts';
import { type HopFacts, joinHops } from './join-hops.ts';

const ID = 'a'.repeat(16);
const request = (changes: Partial<ProviderRequest> = {}): ProviderRequest => ({
  time: 1_000,
  status: 200,
  outcome: 'delivered',
  size: 45,
  limit: 4096,
  cipher_id: ID,
  ...changes,
});
const arrival: PushArrival = {
  phone: 'iphone',
  seq: 1,
  received_at: '1970-01-01T00:00:02.000Z',
  size: 45,
  priority: 10,
  payload: { realm_url: '', realm_name: '', user_id: 1, type: 'test', time: 1 },
};
const arrived = { cipher_id: ID, arrival };
const serverTrace = (sent_ms: number, answered_ms: number): PushTrace => ({
  trace_id: 1,
  cipher_id: ID,
  push_account_id: '1',
  device_id: null,
  token_kind: 'apns',
  type: 'test',
  message_id: null,
  trigger: null,
  waited_for_idle: false,
  event_ms: sent_ms,
  job_ms: null,
  encrypted_ms: sent_ms,
  plaintext_bytes: 100,
  padded_bytes: 100,
  max_plaintext_bytes: 2900,
  key_fingerprint: 'b'.repeat(16),
  push_key_id: null,
  attempts: [
    { sent_ms, answered_ms, push_id: null, outcome: 'unanswered', reason: 'x', provider_id: null },
  ],
  outcome: 'unanswered',
  explanation: 'The bouncer did not take it.',
});
const link = (
  started_ms: number,
  answered_ms: number,
  status: number | null = 200,
): LinkAttempt => ({
  number: 1,
  started_ms,
  answered_ms,
  environment: 'production',
  app: 'org.example',
  bytes: 45,
  max_bytes: 4096,
  session: 1,
  waited_ms: 0,
  status,
  retry_after: null,
  verdict: 'accepted',
  reason: null,
  wait_seconds: null,
});
const bouncerTrace = (
  began_ms: number,
  ended_ms: number,
  attempts: LinkAttempt[],
): BouncerTrace => {
  const stage: PushStage = {
    stage: 'request',
    began_ms,
    ended_ms,
    attempts,
    outcome: 'accepted',
    reason: null,
    provider_id: null,
    retry_at: null,
    trace_id: null,
  };
  return {
    cipher_id: ID,
    push_id: '11111111-2222-8333-a444-555555555555',
    server_uuid: '11111111-2222-8333-a444-555555555555',
    realm_uuid: '11111111-2222-8333-a444-555555555555',
    device_id: 1,
    token_id: null,
    provider: 'apns',
    token_hash: 'c'.repeat(12),
    priority: '10',
    expires_ms: null,
    stages: [stage],
    outcome: 'accepted',
    explanation: 'The provider accepted it.',
  };
};
const join = (facts: Partial<HopFacts>) =>
  joinHops({ phone: 'iphone', server: [], bouncer: [], requests: [], arrivals: [], ...facts });
const verdicts = (facts: Partial<HopFacts>) => join(facts).map(({ verdict }) => verdict);

test('the bouncer tells by which name the chat server meant the phone', () => {
  const first = (trace: Partial<BouncerTrace>) =>
    bouncerLines({ ...bouncerTrace(0, 1, []), ...trace })[0]?.text;
  const token_id = 'CABBxC4BRCg=';
  expect(first({})).toBe('received for device 1 (token cccccccccccc), priority 10');
  expect(first({ token_id })).toBe(
    'received for device 1, named by the token ID CABBxC4BRCg= (token cccccccccccc), priority 10',
  );
  expect(first({ token_id, device_id: null, token_hash: null })).toBe(
    'received for a device that it does not have, named by the token ID CABBxC4BRCg=, priority 10',
  );
});

test('attempts of one ciphertext are one trace, with the meaning of each refusal', () => {
  const explanation = '429: Too many notifications to one phone';
  const refused = request({ time: 0, status: 429, outcome: 'TooManyRequests', explanation });
  const other = request({ cipher_id: 'b'.repeat(16), outcome: 'Unregistered', time: 5_000 });
  const requests = [refused, request({ time: 2_000 }), other];
  expect(join({ requests, arrivals: [arrived] })).toMatchObject([
    {
      cipher_id: ID,
      phone: 'iphone',
      attempts: [
        {
          at: '1970-01-01T00:00:00.000Z',
          status: 429,
          outcome: 'TooManyRequests',
          explanation,
          size: 45,
          limit: 4096,
        },
        { at: '1970-01-01T00:00:02.000Z', outcome: 'delivered' },
      ],
      arrivals: [arrival],
      verdict: 'arrived after 2 attempts',
    },
    { arrivals: [], verdict: 'not delivered: Unregistered' },
  ]);
});

test('the verdict names the outcome of a notification', () => {
  const unread = { ...arrived, arrival: { ...arrival, refused: 'undecryptable: ...' } };
  const one = [request()];
  expect(verdicts({ requests: one, arrivals: [arrived] })).toEqual([
    'arrived at the first attempt',
  ]);
  expect(verdicts({ requests: one, arrivals: [arrived, arrived] })).toEqual(['arrived 2 times']);
  expect(verdicts({ requests: one, arrivals: [unread] })).toEqual([
    'arrived at the first attempt, but the phone refused it',
  ]);
  expect(verdicts({ requests: [request({ outcome: 'stored' })] })).toEqual([
    'waits at the provider until the phone is online',
  ]);
  expect(verdicts({ requests: [request({ outcome: 'fault: silent', status: null })] })).toEqual([
    'not delivered: fault: silent',
  ]);
  expect(verdicts({ server: [serverTrace(0, 9)] })).toEqual(['The bouncer did not take it.']);
});

test('a push that was not handed over is on its way, a test is not', () => {
  const silenceOf = (type: 'message' | 'test') =>
    join({ server: [{ ...serverTrace(0, 9), type }] })[0]?.silent.bouncer;
  expect(silenceOf('message')).toBe('not yet: the chat server could not hand it over');
  expect(silenceOf('test')).toBe('never: the chat server could not hand it over');
});

test('requests without a ciphertext are left out', () => {
  expect(join({ requests: [request({ cipher_id: null })] })).toEqual([]);
});

test('a service without a trace is listed with the reason', () => {
  const bouncer = 'no right: ...';
  const [stored] = join({ bouncer, requests: [request({ outcome: 'stored' })] });
  expect(stored?.silent).toMatchObject({ bouncer, phone: 'not yet: it is offline' });
  expect(stored?.silent.server).toMatch(/^not ours: /);
  const [waiting] = join({ server: [{ ...serverTrace(0, 9), type: 'message' }], bouncer });
  expect(waiting?.silent).toMatchObject({
    bouncer: 'not yet: the chat server could not hand it over',
    provider: 'not among the latest 1000 requests since it started',
    phone: 'nothing arrived since its provider started',
  });
  const unanswered = bouncerTrace(1, 8, [link(2, 7, null)]);
  expect(join({ server: [serverTrace(0, 9)], bouncer: [unanswered] })[0]?.silent.provider).toBe(
    'not yet: the bouncer got no answer from it',
  );
  const answered = bouncerTrace(1, 8, [link(2, 7)]);
  expect(join({ server: [serverTrace(0, 9)], bouncer: [answered] })[0]?.silent).toMatchObject({
    provider: 'no longer known: it keeps its latest 1000 requests, until it stops',
    phone: 'no longer known: its provider has forgotten the push',
  });
  const [refused] = join({ requests: [request({ outcome: 'Unregistered' })] });
  expect(refused?.silent.phone).toBe('nothing arrived');
});

test('clocks that cannot be right are noted, and small differences are not', () => {
  const notes = (at: number, providerAt: number) =>
    join({
      server: [serverTrace(10_000, 10_200)],
      bouncer: [bouncerTrace(at, at + 100, [link(at + 10, at + 90)])],
      requests: [request({ time: providerAt })],
    })[0]?.notes;
  expect(notes(10_050, 10_080)).toEqual([]);
  expect(notes(9_970, 10_000)).toEqual([]);
  expect(notes(15_050, 15_080)).toEqual([
    "the clock of the bouncer is about 5000 ms ahead of the chat server's",
  ]);
  expect(notes(10_050, 8_100)).toEqual([
    "the clock of the provider is about 2000 ms behind the bouncer's",
  ]);
});
