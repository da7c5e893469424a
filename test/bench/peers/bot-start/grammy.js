import { createServer } from 'node:http';

import { imports, listen } from './measured.js';

const { Bot, webhookCallback } = await import('grammy');
imports();
const { API_URL: apiRoot, SECRET: secretToken } = process.env;
const botInfo = { id: 1, is_bot: true, first_name: 'Echo', username: 'echo_bot' };
const bot = new Bot('1:unused', { botInfo, client: { apiRoot } });
bot.on('message:text', (ctx) => ctx.reply(ctx.message.text));
const receive = webhookCallback(bot, 'http', { secretToken });
listen(createServer((request, response) => void receive(request, response)));
