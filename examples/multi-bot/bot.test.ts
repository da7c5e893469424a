import { Writable } from 'node:stream';

import { start } from '@bellhop/bot';
import { logHooks } from '@bellhop/bot/hooks';
import { chat } from '@bellhop/bot/testing';
import { fakeServer } from '@bellhop/fake-server';
import { listen } from '@bellhop/http';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';

import makeDice, { makeApp, makeClock } from './bot.ts';

async function setUp() {
  const server = await fakeServer();
  onTestFinished(() => server.stop());
  const ada = server.addUser('Ada');
  const [dice, clock] = [server.addBot({ name: 'Dice' }), server.addBot({ name: 'Clock' })];
  const ask = async (payloadUrl: string) => {
    for (const bot of [dice, clock]) bot.payloadUrl = payloadUrl;
    ada.send('roll 1', { users: [dice] });
    ada.send('now', { users: [clock] });
    await server.settled();
    return [dice, clock].map((bot) => server.conversation({ users: [ada, bot] }).at(-1));
  };
  return { bots: [makeDice(dice), makeClock(clock)], secrets: [dice.token, clock.token], ask };
}

const replies = [
  'Dice: A die has at least two sides.',
  expect.stringMatching(/^Clock: It is <time:\d{4}-.*Z>\.$/),
];

test('two bots share a path of an Express application, with logs and metrics', async () => {
  const { bots, secrets, ask } = await setUp();
  const lines: string[] = [];
  const log = new Writable({
    write(line, _encoding, done) {
      lines.push(String(line));
      done();
    },
  });
  const app = await listen(makeApp(bots, logHooks(pino(log), { secrets })));
  onTestFinished(() => app.stop(0));
  expect(await ask(`${app.url}/bots`)).toEqual(replies);
  const metrics = await (await fetch(`${app.url}/metrics`)).text();
  for (const bot of ['dice-bot@fake.test', 'clock-bot@fake.test'])
    expect(metrics).toMatch(
      new RegExp(`bellhop_bot_deliveries_total\\{bot="${bot}".*outcome="replied".*\\} 1`),
    );
  expect(lines.filter((line) => line.includes('"msg":"delivery replied"'))).toHaveLength(2);
  for (const secret of secrets) expect(lines.join('')).not.toContain(secret);
});

test('two bots share the server of start()', async () => {
  const { bots, ask } = await setUp();
  const { url, stop } = await start(bots, { port: 0, signals: false });
  onTestFinished(() => stop(0));
  expect(await ask(url)).toEqual(replies);
});

test('roll draws from 6 sides by default, and from the given number', async () => {
  const ada = chat((options) => makeDice(options, (below) => below - 1)).user('Ada');
  expect([await ada.says('roll'), await ada.says('roll 20')]).toEqual([
    ['You rolled 6.'],
    ['You rolled 20.'],
  ]);
});
