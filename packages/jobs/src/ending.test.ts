import { expect, test } from 'vitest';

import { dead, retry } from './attempt-result.ts';
import type { ClaimedJob } from './claim.ts';
import { ending, lostEnding } from './ending.ts';

const claimed: ClaimedJob = {
  id: '01900000-0000-7000-8000-000000000000',
  name: 'note',
  key: '',
  payload: {},
  attempt: 1,
  failures: 0,
  is_manual: false,
};
const schedule = { retry: [10, 60], random: () => 0.5 };
const failed = retry({ reason: 'no' });

test('the delay of a retry varies by 20 % in both directions', () => {
  const delays = [0, 0.5, 1].map(
    (value) => ending(claimed, failed, { retry: [10], random: () => value }).delay_ms,
  );
  expect(delays).toEqual([8000, 10_000, 12_000]);
});

test('afterSeconds lengthens the delay of a retry, up to ten hours, and never shortens it', () => {
  const delays = [1, 45, 1e9].map(
    (afterSeconds) => ending(claimed, retry({ reason: 'no', afterSeconds }), schedule).delay_ms,
  );
  expect(delays).toEqual([10_000, 45_000, 36_000_000]);
});

test('a job is dead after its last retry, after `dead`, and after a failed manual attempt', () => {
  const states = [
    ending({ ...claimed, failures: 1 }, failed, schedule),
    ending({ ...claimed, failures: 2 }, failed, schedule),
    ending(claimed, dead({ reason: 'gone' }), schedule),
    ending({ ...claimed, is_manual: true }, failed, schedule),
  ].map(({ state, outcome, is_failure }) => [state, outcome, is_failure]);
  expect(states).toEqual([
    ['queued', 'retry', true],
    ['dead', 'retry', true],
    ['dead', 'dead', true],
    ['dead', 'retry', false],
  ]);
});

test('a lost attempt counts as a failure, and the job is dead after its last retry', () => {
  const states = [0, 1, 2].map((failures) => lostEnding({ ...claimed, failures }, [10, 60]).state);
  expect(states).toEqual(['queued', 'queued', 'dead']);
});
