import { fakeServer } from '@bellhop/fake-server';
import { listen } from '@bellhop/http';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';

import { webhook } from '../adapters/express.ts';
import { createBot } from '../create-bot.ts';
import { start } from '../start.ts';
import { virtualClock } from '../testing/virtual-clock.ts';

test('an Express application that starts its bot has its schedules and tasks, until its stop', async () => {
  const server = await fakeServer();
  onTestFinished(() => server.stop());
  const ada = server.addUser('Ada');
  const user = server.addBot({ name: 'Alarm' });
  const clock = virtualClock();
  const to = { type: 'direct', userIds: [ada.id] } as const;
  const bot = createBot({
    email: user.email,
    token: user.token,
    api: { url: server.url, apiKey: user.apiKey },
    clock,
  })
    .every('0 10 * * *', { timezone: 'UTC' }, ({ post }) => post('It is ten.', to))
    .task('ring', ({ post }) => post('Ring!', to))
    .command('alarm <in:duration>', (ctx) =>
      ctx.later('ring', ctx.args.in, null).then(() => 'Set.'),
    );
  const app = express();
  app.post('/bots', webhook([bot]));
  const running = await start(bot, { transport: 'none' });
  const listening = await listen(app);
  onTestFinished(() => listening.stop(0));
  user.payloadUrl = `${listening.url}/bots`;

  ada.send('alarm 5m', { users: [user] });
  await server.settled();
  const said = () => server.conversation({ users: [ada, user] });
  expect(said().at(-1)).toBe('Alarm: Set.');
  await clock.advance(5 * 60_000);
  await expect.poll(() => said().at(-1)).toBe('Alarm: Ring!');
  await clock.advance(60 * 60_000);
  await expect.poll(() => said().at(-1)).toBe('Alarm: It is ten.');
  await running.stop(0);
  await clock.advance(24 * 60 * 60_000);
  expect(said().at(-1)).toBe('Alarm: It is ten.');
});
