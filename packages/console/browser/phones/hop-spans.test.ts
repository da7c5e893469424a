import type { JoinedTrace } from '@bellhop/push-trace';
import { expect, test } from 'vitest';

import { hopSpans, sealedSpan } from './hop-spans.ts';

/** A push that the provider refused at first. */
const trace = {
  cipher_id: 'a'.repeat(16),
  phone: 'Pixel',
  server: {
    event_ms: 100,
    job_ms: 150,
    encrypted_ms: 160,
    attempts: [{ sent_ms: 170, answered_ms: 180, outcome: 'accepted' }],
  },
  bouncer: [
    {
      stages: [
        {
          stage: 'request',
          began_ms: 172,
          ended_ms: 200,
          retry_at: 0.3,
          attempts: [{ number: 1, started_ms: 175, answered_ms: 190, status: 429 }],
        },
        {
          stage: 'retry',
          began_ms: 310,
          ended_ms: 330,
          retry_at: null,
          attempts: [{ number: 2, started_ms: 312, answered_ms: 325, status: 200 }],
        },
      ],
    },
  ],
  attempts: [{ at: new Date(320).toISOString(), status: 200, outcome: 'delivered' }],
  arrivals: [{ received_at: new Date(340).toISOString() }],
} as unknown as JoinedTrace;
const spansOf = (changes: object) =>
  hopSpans({ ...trace, ...changes }).map(({ hop, from, to, tone }) => [hop, from, to, tone]);

test('a push has a span for each step, by time', () => {
  expect(spansOf({})).toEqual([
    ['server', 100, 150, 'wait'],
    ['server', 150, 160, 'work'],
    ['server', 170, 180, 'work'],
    ['bouncer', 172, 200, 'work'],
    ['link', 175, 190, 'bad'],
    ['bouncer', 200, 310, 'wait'],
    ['bouncer', 310, 330, 'work'],
    ['link', 312, 325, 'ok'],
    ['provider', 320, 320, 'ok'],
    ['phone', 340, 340, 'ok'],
  ]);
});

test('a push that waits has a span until its retry', () => {
  const bouncer = [{ stages: trace.bouncer[0]?.stages.slice(0, 1) }];
  expect(spansOf({ bouncer, server: null, attempts: [], arrivals: [] })).toEqual([
    ['bouncer', 172, 200, 'work'],
    ['link', 175, 190, 'bad'],
    ['bouncer', 200, 300, 'wait'],
  ]);
});

test('the span of a request without an answer, and of an arrival that the phone cannot read, is marked as bad', () => {
  const server = {
    ...trace.server,
    attempts: [{ sent_ms: 170, answered_ms: 180, outcome: 'unanswered' }],
  };
  const arrivals = [{ received_at: new Date(340).toISOString(), refused: 'unknown key' }];
  expect(spansOf({ server, bouncer: [], attempts: [], arrivals })).toEqual([
    ['server', 100, 150, 'wait'],
    ['server', 150, 160, 'work'],
    ['server', 170, 180, 'bad'],
    ['phone', 340, 340, 'bad'],
  ]);
});

test('the content counts as sealed from its encryption, or else from the first arrival or attempt', () => {
  expect(sealedSpan(trace)).toEqual({ from: 160, to: 340 });
  expect(sealedSpan({ ...trace, server: null })).toEqual({ from: 340, to: 340 });
  expect(sealedSpan({ ...trace, server: null, arrivals: [] })).toEqual({ from: 320 });
  expect(sealedSpan({ ...trace, server: null, arrivals: [], attempts: [] })).toEqual({});
});
