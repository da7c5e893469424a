import { randomInt } from 'node:crypto';

import { type AnyBot, type BotOptions, createBot } from '@bellhop/bot';
import { webhook } from '@bellhop/bot/express';
import { combineHooks, type Hooks, logHooks } from '@bellhop/bot/hooks';
import { prometheusHooks } from '@bellhop/bot/prometheus';
import express from 'express';
import { pino } from 'pino';
import { collectDefaultMetrics, Registry } from 'prom-client';

/** Returns a random integer of at least 0 and below `below`. */
type Random = (below: number) => number;

export default function makeDice(options: BotOptions, random: Random = randomInt) {
  return createBot(options).command('roll [sides:int=6]', ({ args: { sides } }) =>
    sides > 1 ? `You rolled ${random(sides) + 1}.` : 'A die has at least two sides.',
  );
}

export function makeClock(options: BotOptions) {
  return createBot(options).fallback(({ message }) => {
    const now = new Date(message.timestamp * 1000);
    return `It is <time:${now.toISOString()}>.`;
  });
}

/** Serves all bots at /bots, by the email address in each delivery, and their metrics at /metrics. */
export function makeApp(bots: readonly AnyBot[], logging: Hooks) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const hooks = combineHooks(logging, prometheusHooks(registry));

  const app = express();
  app.post('/bots', webhook(bots, { hooks }));
  app.get('/metrics', async (_request, response) => {
    response.type(registry.contentType).send(await registry.metrics());
  });
  return app;
}

if (import.meta.main) {
  const { DICE_EMAIL, DICE_TOKEN, CLOCK_EMAIL, CLOCK_TOKEN, PORT = '8080' } = process.env;
  const dice = makeDice({ email: DICE_EMAIL, token: DICE_TOKEN });
  const clock = makeClock({ email: CLOCK_EMAIL, token: CLOCK_TOKEN });
  const logging = logHooks(pino(), { secrets: [DICE_TOKEN, CLOCK_TOKEN] });
  const server = makeApp([dice, clock], logging).listen(Number(PORT), '127.0.0.1');
  process.once('SIGTERM', () => server.close());
}
