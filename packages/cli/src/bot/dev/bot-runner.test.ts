import { expect, test } from 'vitest';

import type { Attempt, BotProcess } from './bot-process.ts';
import { BotRunner } from './bot-runner.ts';
import type { Payload } from './dev-wire.ts';

const payload = { bot_email: 'x' } as Payload;

/** A runner whose attempts the test ends, and what it was told. */
function runnerOf() {
  const told: string[] = [];
  const attempts: { readonly signal: AbortSignal; readonly end: (attempt: Attempt) => void }[] = [];
  const runner = new BotRunner({
    start: (signal) =>
      new Promise((end) => {
        attempts.push({ signal, end });
        signal.addEventListener('abort', () => end({ trouble: 'killed', files: [] }));
      }),
    onLoaded: () => told.push('loaded'),
    onTrouble: (trouble, goesOn) => told.push(`${trouble}, ${goesOn ? 'goes on' : 'waits'}`),
    onFiles: (files) => told.push(...files),
  });
  const bot = (name: string) => {
    const exit = Promise.withResolvers<number | null>();
    const process: BotProcess = {
      deliver: async (_payload, again) => void told.push(`${name} got it${again ? ' again' : ''}`),
      ended: exit.promise,
      async stop() {
        told.push(`${name} stopped`);
        exit.resolve(0);
      },
    };
    return { process, exit: exit.resolve };
  };
  return { runner, told, attempts, bot };
}

test('a load that is under way is given up for a newer one', async () => {
  const { runner, told, attempts, bot } = runnerOf();
  const loading = runner.load();
  const again = runner.load();
  expect(attempts[0]?.signal.aborted).toBe(true);
  await expect.poll(() => attempts.length).toBe(2);
  attempts[1]?.end({ bot: bot('second').process, files: ['a.ts'] });
  await Promise.all([loading, again]);
  expect(told).toEqual(['a.ts', 'loaded']);
});

test('messages wait for a bot; one that cannot be loaded leaves the one before', async () => {
  const { runner, told, attempts, bot } = runnerOf();
  const first = runner.load();
  const delivered = runner.deliver(payload, false);
  attempts[0]?.end({ trouble: 'broken', files: [] });
  await first;
  const second = runner.load();
  attempts[1]?.end({ bot: bot('one').process, files: [] });
  await Promise.all([second, delivered]);
  const third = runner.load();
  attempts[2]?.end({ trouble: 'broken', files: [] });
  await third;
  await runner.deliver(payload, true);
  expect(told).toEqual([
    'broken, waits',
    'loaded',
    'one got it',
    'broken, goes on',
    'one got it again',
  ]);
});

test('a bot whose process ends is told of, and stopping frees what waits', async () => {
  const { runner, told, attempts, bot } = runnerOf();
  const loading = runner.load();
  const { process, exit } = bot('one');
  attempts[0]?.end({ bot: process, files: [] });
  await loading;
  exit(3);
  await expect.poll(() => told).toContain("The bot's process ended with code 3., waits");
  const waiting = runner.deliver(payload, false);
  const reloading = runner.load();
  await runner.stop();
  await Promise.all([waiting, reloading]);
  expect(told).toHaveLength(2);
});

test('the one before is stopped by the next, the last one at the end', async () => {
  const { runner, told, attempts, bot } = runnerOf();
  for (const [index, name] of ['one', 'two'].entries()) {
    const loading = runner.load();
    attempts[index]?.end({ bot: bot(name).process, files: [] });
    await loading;
  }
  await runner.stop();
  expect(told).toEqual(['loaded', 'one stopped', 'loaded', 'two stopped']);
});
