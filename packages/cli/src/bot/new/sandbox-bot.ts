import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Client, createClient } from '@bellhop/client';
import { ApiError, type UserId } from '@bellhop/protocol';

import { Complaint } from '../../command-line/command.ts';
import { personIn } from '../../sandbox/person-in.ts';
import type { SandboxFile } from '../../sandbox/sandbox-file.ts';
import type { NewProject } from './new-project.ts';

export interface SandboxBotUser {
  readonly full_name: string;
  readonly email: string;
  readonly site: string;
}

/** Makes a user for the bot of a project on a sandbox, and writes its `.env`. */
export async function makeSandboxBot(
  sandbox: SandboxFile,
  { directory, name }: NewProject,
): Promise<SandboxBotUser> {
  const { email, api_key, user_id } = personIn(sandbox);
  const client = createClient({ url: sandbox.base_url, email, apiKey: api_key });
  const port = freePort(await botsOf(client));
  const made = await createBot(client, name, `http://127.0.0.1:${port}/`);
  const subscriptions = sandbox.channels.map((channel) => ({ name: channel.name }));
  // Only who is subscribed hears of a channel through the event queue.
  await client.subscriptions.add({
    subscriptions,
    principals: [made, user_id as UserId],
    send_new_subscription_messages: false,
  });
  const bot = (await botsOf(client)).find((one) => one.user_id === made);
  const [service] = bot?.services ?? [];
  if (!bot || !service || !('token' in service))
    throw new Complaint('The sandbox has made a bot and does not show its token.');
  const env = [
    `BOT_EMAIL=${bot.email}`,
    `BOT_TOKEN=${service.token}`,
    `BOT_API_KEY=${bot.api_key}`,
    `BOT_SITE=${sandbox.base_url}`,
    `PORT=${port}`,
  ];
  await writeFile(join(directory, '.env'), `${env.join('\n')}\n`, { mode: 0o600 });
  return { full_name: bot.full_name, email: bot.email, site: sandbox.base_url };
}

async function botsOf(client: Client) {
  const { realm_bots = [], queue_id } = await client.queues.register({
    event_types: ['realm_bot'],
  });
  if (queue_id !== null) await client.queues.remove({ queue_id });
  return realm_bots;
}

const FIRST_PORT = 8080;

/** Every bot of the sandbox gets a port of its own, so that several can run at once. */
function freePort(bots: Awaited<ReturnType<typeof botsOf>>): number {
  const urls = bots.flatMap(({ services }) =>
    services.map((one) => 'base_url' in one && one.base_url),
  );
  const taken = new Set(urls.map((url) => (url ? Number(new URL(url).port) : 0)));
  let port = FIRST_PORT;
  while (taken.has(port)) port += 1;
  return port;
}

/** With a number at the end where the name is taken. */
async function createBot(client: Client, name: string, payload_url: string): Promise<UserId> {
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  for (let attempt = 1; ; attempt += 1) {
    const [more, suffix] = attempt === 1 ? ['', ''] : [` ${attempt}`, `-${attempt}`];
    try {
      const { user_id } = await client.bots.create({
        full_name: `${words.join(' ')}${more}`,
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
