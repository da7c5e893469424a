import { type Bot, type BotIdentity, createBot } from '@bellhop/bot';
import { serve } from '@bellhop/bot/node';

/** Says back what it is told. */
export function echo(identity: BotIdentity): Bot {
  return createBot(identity).fallback((ctx) => ctx.text);
}

if (import.meta.main) {
  const { ECHO_BOT_EMAIL: email, ECHO_BOT_TOKEN: token, PORT = '8080' } = process.env;
  const { url } = await serve([echo({ email, token })], { port: Number(PORT) });
  console.log(`The echo bot listens on ${url}`);
}
