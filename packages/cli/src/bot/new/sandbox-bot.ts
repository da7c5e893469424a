import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { Client } from '@bellhop/client';
import { ApiError, type UserId } from '@bellhop/protocol';

import { UserError } from '../../command-line/user-error.ts';
import { sandboxClient } from '../../sandbox-file/sandbox-client.ts';
import type { SandboxFile } from '../../sandbox-file/sandbox-file.ts';
import type { NewProject } from './new-project.ts';

export interface SandboxBotUser {
  readonly full_name: string;
  readonly email: string;
  readonly site: string;
}

/** Creates a bot user for a project on a sandbox, and writes its keys to the project's `.env`. */
export async function createSandboxBot(
  { dataDir, file: sandbox }: { readonly dataDir: string; readonly file: SandboxFile },
  { directory, name }: NewProject,
): Promise<SandboxBotUser> {
  const { client, user_id } = sandboxClient(sandbox);
  const port = freePort(await listBots(client));
  const botId = await createBot(client, name, `http://127.0.0.1:${port}/`);
  // The event queue delivers only messages of channels to which the bot is subscribed.
  await client.subscriptions.add({
    subscriptions: sandbox.channels.map((channel) => ({ name: channel.name })),
    principals: [botId, user_id as UserId],
    send_new_subscription_messages: false,
  });
  const bot = (await listBots(client)).find((one) => one.user_id === botId);
  const [service] = bot?.services ?? [];
  if (!bot || !service || !('token' in service))
    throw new UserError('The sandbox has created the bot but shows no token for it.');
  const env = [
    `BOT_EMAIL=${bot.email}`,
    `BOT_TOKEN=${service.token}`,
    `BOT_API_KEY=${bot.api_key}`,
    `BOT_SITE=${sandbox.base_url}`,
    `PORT=${port}`,
    '# Where `bellhop try` and `bellhop bot deliveries` find the sandbox.',
    `BELLHOP_DATA_DIR='${dataDir}'`,
  ];
  await writeFile(join(directory, '.env'), `${env.join('\n')}\n`, { mode: 0o600 });
  return { full_name: bot.full_name, email: bot.email, site: sandbox.base_url };
}

async function listBots(client: Client) {
  const { realm_bots = [], queue_id } = await client.queues.register({
    event_types: ['realm_bot'],
  });
  if (queue_id !== null) await client.queues.remove({ queue_id });
  return realm_bots;
}

const FIRST_PORT = 8080;

/** A port that no bot of the sandbox has, so that several bots can run at once. */
function freePort(bots: Awaited<ReturnType<typeof listBots>>): number {
  const urls = bots.flatMap(({ services }) =>
    services.map((service) => 'base_url' in service && service.base_url),
  );
  const taken = new Set(urls.map((url) => (url ? Number(new URL(url).port) : 0)));
  let port = FIRST_PORT;
  while (taken.has(port)) port += 1;
  return port;
}

/** Creates the bot, with a number behind its name if the name is taken. */
async function createBot(client: Client, name: string, payload_url: string): Promise<UserId> {
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  for (let attempt = 1; ; attempt += 1) {
    const [number, suffix] = attempt === 1 ? ['', ''] : [` ${attempt}`, `-${attempt}`];
    try {
      const { user_id } = await client.bots.create({
        full_name: `${words.join(' ')}${number}`,
        short_name: `${name}${suffix}`,
        bot_type: 3,
        payload_url,
      });
      return user_id;
    } catch (error) {
      if (!(error instanceof ApiError) || !/in use/.test(error.message) || attempt > 20)
        throw error;
    }
  }
}
