// A process of a bot that replies to each message with its id, at once or late, or is silent. Prints its
// port.
import { setTimeout as sleep } from 'node:timers/promises';

import { botOptions, type Clock, createBot, start } from '@bellhop/bot';
import { postgresStore } from '@bellhop/bot/stores/postgres';

/** Half of the replies are late, and go by REST. */
const DEADLINE_MS = 300;

const { STORE_URL = '', TRANSPORT, SPEED = '1' } = process.env;
const speed = Number(SPEED);
const startedAt = Date.now();
const clock: Clock = {
  now: () => startedAt + (Date.now() - startedAt) * speed,
  after(ms, call) {
    const timer = setTimeout(call, ms / speed);
    return () => clearTimeout(timer);
  },
};
const bot = createBot({
  ...botOptions(),
  store: postgresStore(STORE_URL),
  maxRepliesPerMinute: Infinity,
  clock,
}).fallback(async (ctx) => {
  await sleep(Math.random() * 2 * DEADLINE_MS);
  return ctx.text === 'silence' ? undefined : `reply to ${ctx.message.id}`;
});
// A killed process writes many warnings about the calls that it could not end: they are no result.
const hooks = { onWarning: () => {} };
const { url } =
  TRANSPORT === 'queue'
    ? await start(bot, { transport: 'queue', hooks })
    : await start(bot, { port: 0, deadlineMs: DEADLINE_MS * speed, hooks });
console.log(url === undefined ? '-' : new URL(url).port);
