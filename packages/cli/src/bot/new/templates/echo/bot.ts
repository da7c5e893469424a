import { type BotOptions, createBot } from '@bellhop/bot';
import { run } from '@bellhop/bot/node';

/** Says back what it is told. */
export default function makeBot(options: BotOptions) {
  return createBot(options).fallback((ctx) => ctx.text);
}

if (import.meta.main) await run(makeBot);
