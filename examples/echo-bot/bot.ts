import { type BotOptions, createBot, start } from '@bellhop/bot';

/** Repeats each message. */
export default function makeBot(options: BotOptions) {
  return createBot(options).fallback((ctx) => ctx.text);
}

if (import.meta.main) await start(makeBot);
