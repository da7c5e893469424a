import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { BotError } from '../bot-error.ts';
import { plainStore } from './plain-store.fixture.ts';
import { type ScheduledRun, type ScheduleOptions, schedules } from './schedules.ts';

const at = (text: string) => Date.parse(`2026-03-${text}Z`);

beforeEach(() => void vi.useFakeTimers({ now: at('01T08:59:30') }));
afterEach(() => void vi.useRealTimers());

const pause = (ms: number) => new Promise((resolve) => void setTimeout(resolve, ms));
const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000);

/** Schedules that record their runs and failures. */
function recorded(store?: ReturnType<typeof plainStore>) {
  const runs: string[] = [];
  const failures: string[] = [];
  const all = schedules({
    onError: (error, name) => failures.push(`${name}: ${(error as Error).message}`),
    ...(store ? { store } : {}),
  });
  const write = ({ name, dueAt, missed }: ScheduledRun) =>
    runs.push(`${name} ${new Date(dueAt).toISOString().slice(8, 16)}${missed ? ' late' : ''}`);
  const every = (pattern: string, options: ScheduleOptions = {}) =>
    all.every(pattern, { timezone: 'UTC', name: 'a', ...options }, write);
  return { all, every, runs, failures };
}

test('a schedule runs when its pattern matches, and nextRun returns the next time', async () => {
  const { all, every, runs } = recorded();
  const daily = every('0 9 * * *');
  expect(daily.nextRun()).toEqual(new Date(at('01T09:00:00')));
  await minutes(1);
  expect(runs).toEqual(['a 01T09:00']);
  expect(daily.nextRun()).toEqual(new Date(at('02T09:00:00')));
  await minutes(2 * 24 * 60);
  expect(runs).toEqual(['a 01T09:00', 'a 02T09:00', 'a 03T09:00']);
  await all.stop();
  expect(daily.nextRun()).toBeUndefined();
  await minutes(2 * 24 * 60);
  expect(runs).toHaveLength(3);
});

test('a schedule with a time zone follows its days and clock changes', async () => {
  const { all, every, runs } = recorded();
  vi.setSystemTime(at('28T00:00:00'));
  every('0 9 * * *', { timezone: 'Europe/Berlin' });
  await minutes(2 * 24 * 60);
  // Clocks go forward on the 29th: nine o'clock in Berlin is 7:00 UTC.
  expect(runs).toEqual(['a 28T08:00', 'a 29T07:00']);
  await all.stop();
});

test('a scheduled time is skipped while the handler still runs', async () => {
  const { all } = recorded();
  let running = 0;
  const began: string[] = [];
  all.every('* * * * *', { timezone: 'UTC' }, async ({ dueAt }) => {
    expect(++running).toBe(1);
    began.push(new Date(dueAt).toISOString().slice(14, 16));
    await pause(150_000);
    running -= 1;
  });
  await minutes(7);
  expect(began).toEqual(['00', '03', '06']);
  const stopped = all.stop();
  await minutes(5);
  await stopped;
  expect(running).toBe(0);
});

test('a failed run is reported, and the schedule runs again', async () => {
  const { all, failures } = recorded();
  all.every('* * * * *', { name: 'bad' }, () => {
    throw new Error('broken');
  });
  await minutes(2);
  expect(failures).toEqual(['bad: broken', 'bad: broken']);
  await all.stop();
});

test('stop aborts the signal of a running handler and waits for it', async () => {
  const { all } = recorded();
  let told = false;
  all.every('* * * * *', {}, async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    told = true;
  });
  await minutes(1);
  await all.stop();
  expect(told).toBe(true);
});

test('a schedule runs within a minute after the clock is set forward', async () => {
  const { all, every, runs } = recorded();
  every('0 12 * * *');
  await minutes(1);
  vi.setSystemTime(at('01T12:00:01'));
  await minutes(1);
  expect(runs).toEqual(['a 01T12:00']);
  await all.stop();
});

test.each([
  ['61 * * * *', 'UTC'],
  ['every day', 'UTC'],
  ['0 9 * * *', 'Mars/Olympus'],
  ['0 0 30 2 *', 'UTC'],
  ['2021-02-28T10:00:00', 'UTC'],
])('every() throws on the invalid schedule %s in %s', (pattern, timezone) => {
  expect(() => recorded().every(pattern, { timezone })).toThrow(BotError);
});

test('every() throws on a second schedule with the same name', async () => {
  const { all, every } = recorded();
  every('0 9 * * *');
  expect(() => every('0 10 * * *')).toThrow('already');
  await all.stop();
});

test('with a store a missed time runs once after a restart', async () => {
  const store = plainStore();
  const before = recorded(store);
  before.every('0 9 * * *');
  await minutes(1);
  await before.all.stop();
  expect(before.runs).toEqual(['a 01T09:00']);
  vi.setSystemTime(at('04T10:00:00'));
  const after = recorded(store);
  after.every('0 9 * * *');
  after.every('0 8 * * *', { name: 'new' });
  await minutes(1);
  expect(after.runs).toEqual(['a 04T09:00 late']);
  await minutes(24 * 60);
  expect(after.runs).toEqual(['a 04T09:00 late', 'new 05T08:00', 'a 05T09:00']);
  await after.all.stop();
  vi.setSystemTime(at('09T10:00:00'));
  const withoutCatchUp = recorded(store);
  withoutCatchUp.every('0 9 * * *', { catchUp: false });
  await minutes(1);
  expect(withoutCatchUp.runs).toEqual([]);
  await withoutCatchUp.all.stop();
});

test('one of the processes that share a store runs each scheduled time', async () => {
  const store = plainStore();
  const [one, two] = [recorded(store), recorded(store)];
  one.every('* * * * *');
  two.every('* * * * *');
  await minutes(5);
  expect([...one.runs, ...two.runs].toSorted()).toEqual(
    ['00', '01', '02', '03', '04'].map((minute) => `a 01T09:${minute}`),
  );
  await one.all.stop();
  await two.all.stop();
});

test('a failing store is reported, and the schedule goes on', async () => {
  const store = plainStore();
  const { all, every, runs, failures } = recorded(store);
  store.fail(2);
  every('* * * * *');
  await minutes(3);
  expect(failures).toEqual(['a: store is down', 'a: store is down']);
  expect(runs).toEqual(['a 01T09:01', 'a 01T09:02']);
  await all.stop();
});
