import { type BotOptions, createBot, type Conversation, start } from '@bellhop/bot';
import { fileStore } from '@bellhop/bot/stores/file';

type Reminder = { readonly conversation: Conversation; readonly text: string };

/** Posts reminders where they were requested, and a summary of pending ones each workday at nine. */
export default function makeBot(options: BotOptions) {
  const store = options.store ?? fileStore('reminders');
  return createBot({ ...options, store })
    .command(
      'remind in <wait:duration> <text...>',
      { about: 'Be reminded', examples: ['remind in 2 hours take a break'] },
      async (ctx) => {
        const { wait, text } = ctx.args;
        const reminder: Reminder = { conversation: ctx.conversation, text };
        await store.set(`to-come/${ctx.message.id}`, text, { ttlMs: wait });
        await ctx.later('remind', wait, reminder);
        return `I will remind you <time:${new Date(ctx.message.timestamp * 1000 + wait).toISOString()}>.`;
      },
    )
    .task<Reminder>('remind', ({ data, post }) => post(`Remember: ${data.text}`, data.conversation))
    .every('0 9 * * 1-5', { timezone: 'UTC' }, async ({ post }) => {
      const found = await Promise.all((await store.list('to-come/')).map((key) => store.get(key)));
      const texts = found.flatMap((one) =>
        typeof one?.value === 'string' ? [`- ${one.value}`] : [],
      );
      if (texts.length === 0) return;
      await post(`Still to come:\n${texts.join('\n')}`, { channel: 'general', topic: 'reminders' });
    });
}

if (import.meta.main) await start(makeBot);
