import type { ChannelId } from '@bellhop/protocol';
import { expect, test } from 'vitest';

import { BotError } from '../bot-error.ts';
import { virtualClock } from '../testing/virtual-clock.ts';
import { expectAnswers } from './expect-answers.ts';
import type { FollowUps } from './follow-ups.ts';

const topic = { channel: { id: 1 as ChannelId, name: 'ops' }, topic: 'outage' };

function subscribing(subscribe: FollowUps['subscribe']) {
  const warnings: object[] = [];
  const clock = virtualClock();
  const expecting = expectAnswers({
    clock,
    warn: (code, message, error) => void warnings.push({ code, message, error }),
  });
  let calls = 0;
  const followUps: FollowUps = {
    subscribe: (...about) => {
      calls += 1;
      return subscribe(...about);
    },
    unsubscribe: async () => {},
  };
  return {
    clock,
    warnings,
    calls: () => calls,
    ask: () => expecting(followUps, topic, 1000),
  };
}

test('a server that refuses subscriptions is asked once, with one warning', async () => {
  const refusal = new BotError('api_rejected', 'no such endpoint');
  const bot = subscribing(() => Promise.reject(refusal));
  await bot.ask();
  await bot.ask();
  expect(bot.calls()).toBe(1);
  expect(bot.warnings).toMatchObject([{ code: 'follow_ups_missing', error: refusal }]);
});

test('after a lost connection the next question subscribes again', async () => {
  const bot = subscribing(() => Promise.reject(new BotError('api_unreachable', 'lost')));
  await bot.ask();
  await bot.ask();
  expect(bot.calls()).toBe(2);
  expect(bot.warnings).toHaveLength(2);
});

test('a question waits at most two seconds for its subscription, which then ends', async () => {
  let given: AbortSignal | undefined;
  const bot = subscribing((_topic, _forMs, signal) => {
    given = signal;
    return new Promise(() => {});
  });
  let asked = false;
  const asking = bot.ask().then(() => (asked = true));
  await bot.clock.advance(1999);
  expect(asked).toBe(false);
  await bot.clock.advance(1);
  await asking;
  expect(given?.aborted).toBe(true);
  expect(bot.warnings).toEqual([]);
});
