import { createServer } from 'node:http';

import { imports, listening } from './measured.js';

const { Bot, webhookCallback } = await import('grammy');
imports();
const botInfo = { id: 1, is_bot: true, first_name: 'Echo', username: 'echo_bot' };
const bot = new Bot('1:unused', { botInfo });
bot.on('message:text', (ctx) => ctx.reply(ctx.message.text));
const receive = webhookCallback(bot, 'http');
createServer((request, response) => void receive(request, response)).listen(
  0,
  '127.0.0.1',
  listening,
);
