// A process of a bot that replies to each message with its id, at once or late. Prints its port.
import { setTimeout as sleep } from 'node:timers/promises';

import { botOptions, createBot, start } from '@bellhop/bot';
import { postgresStore } from '@bellhop/bot/stores/postgres';

/** Half of the replies are late, and go by REST. */
const DEADLINE_MS = 300;

const { STORE_URL = '', TRANSPORT } = process.env;
const bot = createBot({
  ...botOptions(),
  store: postgresStore(STORE_URL),
  maxRepliesPerMinute: Infinity,
}).fallback(async (ctx) => {
  await sleep(Math.random() * 2 * DEADLINE_MS);
  return `reply to ${ctx.message.id}`;
});
// A killed process writes many warnings about the calls that it could not end: they are no result.
const hooks = { onWarning: () => {} };
const { url } =
  TRANSPORT === 'queue'
    ? await start(bot, { transport: 'queue', hooks })
    : await start(bot, { port: 0, deadlineMs: DEADLINE_MS, hooks });
console.log(url === undefined ? '-' : new URL(url).port);
