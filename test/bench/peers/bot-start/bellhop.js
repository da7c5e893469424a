import { imports, listening } from './measured.js';

const { createBot, start } = await import('@bellhop/bot');
imports();
const bot = createBot({ email: 'echo-bot@chat.test', token: 'k3yQ0sT7vWm2xZp9Lr4uNb6c' });
await start(
  bot.fallback((ctx) => ctx.text),
  { port: 0 },
);
listening();
