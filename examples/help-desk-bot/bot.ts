import { type BotOptions, createBot, start } from '@bellhop/bot';
import { z } from 'zod';

const urgencies = ['low', 'normal', 'high'] as const;

/** Asks for the facts of a ticket and posts it to the channel `help desk`, in a topic of its own. */
export default function makeBot(options: BotOptions) {
  return createBot(options)
    .command('ticket', { about: 'Ask for help' }, (ctx) => ctx.begin('ticket'))
    .dialog(
      'ticket',
      {
        summary: {
          ask: 'What is wrong, in a few words?',
          schema: z.string().min(5, 'A little more, please.').max(50, 'Shorter, please.'),
        },
        urgency: {
          ask: 'How urgent is it: low, normal or high?',
          schema: z.string().toLowerCase().pipe(z.enum(urgencies)),
          retry: 'Please say low, normal or high.',
        },
        phone: {
          ask: 'We will call you. Which number?',
          schema: z.string().regex(/^\+?[\d ]{5,20}$/),
          retry: 'A telephone number, please.',
          skip: ({ urgency }) => urgency !== 'high',
        },
      },
      async (ctx, { summary, urgency, phone }) => {
        const { id, fullName } = ctx.message.sender;
        const call = phone ? `, call ${phone}` : '';
        await ctx.post(`@**${fullName}|${id}** asks for help. Urgency: ${urgency}${call}.`, {
          channel: 'help desk',
          topic: summary,
        });
        return `Thank you. It is in #**help desk>${summary}**.`;
      },
    )
    .fallback(() => 'Say `ticket`, and I will find somebody to help you.');
}

if (import.meta.main) await start(makeBot);
