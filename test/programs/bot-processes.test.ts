import { expect, test } from 'vitest';

import { harmBot } from '../crash/harm-bot.fixture.ts';

// `npm run crash` does this more often, and with the event queue.
test('two processes of a bot on one store reply once to each message, over a kill, a rolling restart, a store failure, lost and repeated deliveries', async () => {
  const { acknowledged, lost, doubled } = await harmBot({
    transport: 'webhook',
    cycles: 3,
    topics: 2,
    speed: 3,
    random: Math.random,
  });
  expect({ lost, doubled }).toEqual({ lost: [], doubled: [] });
  expect(acknowledged.length).toBeGreaterThan(20);
}, 300_000);
