import { expect, test } from 'vitest';

import { sleep, type Clock } from '../clock.ts';
import { virtualClock } from '../testing/virtual-clock.ts';
import { plainStore } from './plain-store.fixture.ts';
import { tasks } from './tasks.ts';

const MINUTE = 60_000;

/** Processes of one bot on one store. Each records the tasks that it performs. */
function fixture() {
  const clock = virtualClock(0);
  const store = plainStore();
  const performed: string[] = [];
  const errors: unknown[] = [];

  /** Starts a process. Its tasks take `takesMs`; `kill` stops its timers. */
  function startProcess(process: string, { takesMs = 0, declares = ['task'] } = {}) {
    let alive = true;
    const own: Clock = {
      now: clock.now,
      after: (ms, call) => clock.after(ms, () => void (alive && call())),
    };
    const made = tasks({
      store,
      botEmail: 'bot@chat.test',
      clock: own,
      isDeclared: (name) => declares.includes(name),
      async perform({ data }) {
        performed.push(`${process}: ${JSON.stringify(data)}`);
        await sleep(own, takesMs);
      },
      onError: (error) => void errors.push(error),
    });
    void made.start();
    return { ...made, kill: () => void (alive = false) };
  }
  const task = (data: string, dueAt = 1000) => ({ name: 'task', data, dueAt });
  return { clock, store, performed, errors, startProcess, task };
}

test('a task runs although the store fails when it is due', async () => {
  const { clock, store, performed, errors, startProcess, task } = fixture();
  const process = startProcess('one');
  await process.add(task('x'));
  store.fail(3);
  await clock.advance(MINUTE);
  expect(performed).toEqual(['one: "x"']);
  expect(errors.length).toBeGreaterThan(0);
});

test('tasks run although the store fails when the process starts', async () => {
  const { clock, store, performed, startProcess, task } = fixture();
  await startProcess('earlier').stop();
  await startProcess('stopped').add(task('x'));
  store.fail(2);
  startProcess('two');
  await clock.advance(MINUTE);
  expect(performed).toHaveLength(1);
});

test('a task that has run does not run again because the store fails to remove it', async () => {
  const { clock, store, performed, startProcess, task } = fixture();
  const process = startProcess('one', { takesMs: 2000 });
  await process.add(task('x'));
  await clock.advance(1500);
  store.fail(20);
  await clock.advance(60 * MINUTE);
  expect(performed).toEqual(['one: "x"']);
  expect(await store.list('')).toEqual([]);
});

test('a task of half an hour runs in one of two processes', async () => {
  const { clock, performed, startProcess, task } = fixture();
  const process = startProcess('one', { takesMs: 30 * MINUTE });
  await process.add(task('x', 5 * MINUTE));
  startProcess('two', { takesMs: 30 * MINUTE });
  await clock.advance(120 * MINUTE);
  expect(performed).toHaveLength(1);
});

test('a task of a process that has died runs in another process', async () => {
  const { clock, store, performed, startProcess, task } = fixture();
  startProcess('two');
  const one = startProcess('one', { takesMs: MINUTE });
  await one.add(task('running'));
  await one.add(task('later', 5 * MINUTE));
  await clock.advance(2000);
  one.kill();
  await clock.advance(10 * MINUTE);
  expect(performed).toEqual(['one: "running"', 'two: "running"', 'two: "later"']);
  expect(await store.list('')).toEqual([]);
});

test('a task that this version of the bot does not declare runs in the version that does', async () => {
  const { clock, performed, errors, startProcess, task } = fixture();
  const next = startProcess('next version', { declares: ['task', 'new'] });
  await next.add({ ...task('x', 10 * MINUTE), name: 'new' });
  startProcess('this version');
  await clock.advance(20 * MINUTE);
  expect(performed).toEqual(['next version: "x"']);
  expect(errors).toMatchObject([{ code: 'config_invalid' }]);
});

test('a cancelled task does not run, and list() has the others by their time', async () => {
  const { clock, performed, startProcess, task } = fixture();
  const process = startProcess('one', { takesMs: 5000 });
  const later = await process.add(task('later', 3000));
  const cancelled = await process.add(task('cancelled', 2000));
  const running = await process.add(task('running', 1000));
  expect((await process.list()).map(({ data }) => data)).toEqual(['running', 'cancelled', 'later']);
  expect(await process.cancel(cancelled)).toBe(true);
  expect(await process.cancel(cancelled)).toBe(false);
  expect(await process.cancel('unknown')).toBe(false);
  await clock.advance(1000);
  expect(await process.list()).toMatchObject([{ id: later, dueAt: 3000 }]);
  expect(await process.cancel(running)).toBe(false);
  await clock.advance(10_000);
  expect(performed).toEqual(['one: "running"', 'one: "later"']);
});

test('one process cancels the task that another has scheduled', async () => {
  const { clock, performed, errors, startProcess, task } = fixture();
  const [one, other] = [startProcess('one'), startProcess('other')];
  const id = await one.add(task('x'));
  expect(await other.cancel(id)).toBe(true);
  await clock.advance(MINUTE);
  expect([performed, errors]).toEqual([[], []]);
});
