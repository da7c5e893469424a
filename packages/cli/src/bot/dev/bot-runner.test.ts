import { expect, test } from 'vitest';

import type { StartResult, BotProcess } from './bot-process.ts';
import { BotRunner } from './bot-runner.ts';
import type { Payload } from './dev-wire.ts';

const payload = { bot_email: 'x' } as Payload;

/** A runner whose starts the test ends, and the log of its callbacks. */
function runnerOf() {
  const log: string[] = [];
  const starts: { readonly signal: AbortSignal; readonly end: (result: StartResult) => void }[] =
    [];
  const runner = new BotRunner({
    start: (signal) =>
      new Promise((end) => {
        starts.push({ signal, end });
        signal.addEventListener('abort', () => end({ trouble: 'killed', files: [] }));
      }),
    onLoaded: () => log.push('loaded'),
    onTrouble: (trouble, goesOn) => log.push(`${trouble}, ${goesOn ? 'goes on' : 'waits'}`),
    onFiles: (files) => log.push(...files),
  });
  const bot = (name: string) => {
    const exit = Promise.withResolvers<number | null>();
    const process: BotProcess = {
      deliver: async (_payload, again) => void log.push(`${name} got it${again ? ' again' : ''}`),
      ended: exit.promise,
      async stop() {
        log.push(`${name} stopped`);
        exit.resolve(0);
      },
    };
    return { process, exit: exit.resolve };
  };
  return { runner, log, starts, bot };
}

test('load() aborts a load that is under way', async () => {
  const { runner, log, starts, bot } = runnerOf();
  const loading = runner.load();
  const again = runner.load();
  expect(starts[0]?.signal.aborted).toBe(true);
  await expect.poll(() => starts.length).toBe(2);
  starts[1]?.end({ bot: bot('second').process, files: ['a.ts'] });
  await Promise.all([loading, again]);
  expect(log).toEqual(['a.ts', 'loaded']);
});

test('messages wait for the first bot; a version that cannot be loaded leaves the one before running', async () => {
  const { runner, log, starts, bot } = runnerOf();
  const first = runner.load();
  const delivered = runner.deliver(payload, false);
  starts[0]?.end({ trouble: 'broken', files: [] });
  await first;
  const second = runner.load();
  starts[1]?.end({ bot: bot('one').process, files: [] });
  await Promise.all([second, delivered]);
  const third = runner.load();
  starts[2]?.end({ trouble: 'broken', files: [] });
  await third;
  await runner.deliver(payload, true);
  expect(log).toEqual([
    'broken, waits',
    'loaded',
    'one got it',
    'broken, goes on',
    'one got it again',
  ]);
});

test('the end of a process is reported, and stop() releases waiting messages', async () => {
  const { runner, log, starts, bot } = runnerOf();
  const loading = runner.load();
  const { process, exit } = bot('one');
  starts[0]?.end({ bot: process, files: [] });
  await loading;
  exit(3);
  await expect.poll(() => log).toContain("The bot's process ended with code 3., waits");
  const waiting = runner.deliver(payload, false);
  const reloading = runner.load();
  await runner.stop();
  await Promise.all([waiting, reloading]);
  expect(log).toHaveLength(2);
});

test('a new version stops the one before; stop() stops the last', async () => {
  const { runner, log, starts, bot } = runnerOf();
  for (const [index, name] of ['one', 'two'].entries()) {
    const loading = runner.load();
    starts[index]?.end({ bot: bot(name).process, files: [] });
    await loading;
  }
  await runner.stop();
  expect(log).toEqual(['loaded', 'one stopped', 'loaded', 'two stopped']);
});
