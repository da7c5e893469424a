import { imports, listening } from './measured.js';

const { createBot, start } = await import('@bellhop/bot');
imports();
const { BOT_EMAIL: email, BOT_TOKEN: token } = process.env;
const bot = createBot({ email, token }).fallback((ctx) => ctx.text);
const { url } = await start(bot, { port: 0 });
listening(url);
