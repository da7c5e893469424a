import { type BotOptions, createBot, start } from '@bellhop/bot';
import { fileStore } from '@bellhop/bot/stores/file';
import { z } from 'zod';

/** Asks one question after the other. `cancel` ends the dialog at any time. */
export default function makeBot(options: BotOptions) {
  return createBot(options)
    .command('order', { about: 'Order a pizza' }, (ctx) => ctx.begin('order'))
    .dialog(
      'order',
      {
        pizza: { ask: 'Which pizza?', schema: z.string().max(40) },
        count: {
          ask: ({ pizza }) => `How many ${pizza}?`,
          schema: z.coerce.number().int().min(1).max(20),
          retry: 'From 1 to 20, please.',
        },
      },
      (_ctx, { count, pizza }) => `Ordered: ${count} × ${pizza}.`,
    )
    .fallback(() => 'Say `order` to order a pizza.');
}

if (import.meta.main) await start(makeBot, { store: fileStore('.bellhop-bot') });
