import { type BotOptions, botOptions, createBot } from '@bellhop/bot';
import { webhook } from '@bellhop/bot/express';
import { memoryStore } from '@bellhop/bot/stores';
import { createClient } from '@bellhop/client';
import express from 'express';

import { isGenuine, readEvent } from './github-event.ts';

/** Mutes and unmutes repositories. */
export default function makeBot({ store = memoryStore(), ...options }: BotOptions) {
  return createBot({ ...options, store })
    .command('mute <repository>', { about: 'Stop posting its events' }, async ({ args }) => {
      await store.set(`muted/${args.repository}`, true);
      return `Muted ${args.repository}.`;
    })
    .command('unmute <repository>', { about: 'Post its events again' }, async ({ args }) => {
      await store.delete(`muted/${args.repository}`);
      return `Unmuted ${args.repository}.`;
    });
}

/** Serves the bot at /bot. Posts the GitHub events that arrive at /hook to the channel `code`. */
export function makeApp(options: BotOptions, secret: string | undefined) {
  const { api, store = memoryStore() } = options;
  if (!api || !secret) throw new TypeError('Set BOT_SITE, BOT_API_KEY and HOOK_SECRET.');
  const bot = makeBot({ ...options, store });
  const client = createClient({ ...api, email: bot.email });

  const app = express();
  app.post('/bot', webhook([bot]));
  app.post('/hook', express.raw({ type: '*/*' }), async (request, response) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.of();
    if (!isGenuine(body, secret, request.get('x-hub-signature-256'))) {
      return void response.sendStatus(401);
    }
    const event = readEvent(body);
    if (event?.text && !(await store.get(`muted/${event.repository}`))) {
      const { repository: topic, text: content } = event;
      await client.messages.send({ type: 'channel', to: 'code', topic, content });
    }
    response.sendStatus(204);
  });
  return app;
}

if (import.meta.main) {
  const { HOOK_SECRET, PORT = '8080' } = process.env;
  makeApp(botOptions(), HOOK_SECRET).listen(Number(PORT), '127.0.0.1');
}
