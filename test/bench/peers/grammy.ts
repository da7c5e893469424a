import type { App } from '../dispatch/app.ts';
import { botInfo, secretToken, update, updateRequest } from './telegram.ts';

/** A command, answered in the response. */
export const app: App = {
  name: 'grammY',
  request: updateRequest,
  async serve(handled) {
    const { Bot, webhookCallback } = await import('grammy');
    const client = { canUseWebhookReply: (method: string) => method === 'sendMessage' };
    const bot = new Bot('1:unused', { botInfo, client });
    bot.command('deploy', async (ctx) => {
      handled();
      await ctx.reply(`Deployed ${ctx.match.length}`);
    });
    const listen = webhookCallback(bot, 'http', { secretToken });
    return {
      listener: (request, response) => void listen(request, response),
      inProcess(n) {
        const event = update(n, '');
        return () => bot.handleUpdate(event, { send() {} });
      },
    };
  },
};
