import type { RequestListener, ServerResponse } from 'node:http';

import type { App } from '../dispatch/app.ts';
import { botInfo, secretToken, update, updateRequest } from './telegram.ts';

/** A command. The response is a chat action: Telegraf puts no message in it. */
export const app: App = {
  name: 'Telegraf',
  request: updateRequest,
  async serve(handled) {
    const { Telegraf } = await import('telegraf');
    const bot = new Telegraf('1:unused', { telegram: { webhookReply: true } });
    bot.botInfo = botInfo;
    bot.command('deploy', async (ctx) => {
      handled();
      await ctx.sendChatAction('typing');
    });
    return {
      listener: bot.webhookCallback('/', { secretToken }) as unknown as RequestListener,
      inProcess(n) {
        const event = update(n, '');
        return () => bot.handleUpdate(event, stubResponse());
      },
    };
  },
};

/** The part of a response that Telegraf uses. */
function stubResponse(): ServerResponse {
  const response = {
    writableEnded: false,
    headersSent: false,
    setHeader: () => response,
    writeHead: () => response,
    end() {
      response.writableEnded = true;
      return response;
    },
  };
  return response as unknown as ServerResponse;
}
