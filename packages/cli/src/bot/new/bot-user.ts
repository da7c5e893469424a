import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { UserError } from '@bellhop/bot-cli/command-line';
import type { Logins, OwnLogin } from '@bellhop/bot-cli/deliveries';
import { sandboxClient, type SandboxFile } from '@bellhop/bot-cli/sandbox';
import type { Client } from '@bellhop/client';
import { ApiError, type Bot, type UserId } from '@bellhop/protocol';

import type { NewProject } from './new-project.ts';

/** A bot user of a chat server, as the project for it needs it. */
export interface BotUser {
  readonly full_name: string;
  readonly email: string;
  readonly site: string;
  readonly api_key: string;
  /** The token and the port of its outgoing webhook; undefined if it has none. */
  readonly webhook: { readonly token: string; readonly port: string } | undefined;
}

interface LocatedSandbox {
  readonly dataDir: string;
  readonly file: SandboxFile;
}

/** Creates a bot user for a project on a sandbox. */
export async function createBotUser(
  { file: sandbox }: LocatedSandbox,
  { name }: NewProject,
): Promise<BotUser> {
  const { client, user_id } = sandboxClient(sandbox);
  const port = freePort(await listBots(client));
  const payload_url = `http://127.0.0.1:${port}/`;
  const botId = await createBot(client, name, { bot_type: 3, payload_url });
  // The event queue delivers only messages of channels to which the bot is subscribed.
  await client.subscriptions.add({
    subscriptions: sandbox.channels.map((channel) => ({ name: channel.name })),
    principals: [botId, user_id as UserId],
    send_new_subscription_messages: false,
  });
  const bot = (await listBots(client)).find((one) => one.user_id === botId);
  const user = bot && botUser(bot, sandbox.base_url);
  if (!user?.webhook)
    throw new UserError('The sandbox has created the bot but shows no token for it.');
  return user;
}

/**
 * Creates a bot user for a project on the server of a person's login. It has no webhook: that server may
 * not reach this machine, and the event queue needs no address.
 */
export async function createQueueBotUser(
  { site, client }: OwnLogin,
  name: string,
): Promise<BotUser> {
  const botId = await createBot(client, name, { bot_type: 1 });
  const bot = (await listBots(client)).find((one) => one.user_id === botId);
  const user = bot && botUser(bot, site);
  if (!user) throw new UserError(`${site} has created the bot but shows no key for it.`);
  return user;
}

/**
 * The bot user with this name, e-mail address or ID that one of these people manages. Throws a
 * UserError if there is none, or if its keys are kept from all of them.
 */
export async function findBotUser(named: string, { site, clients }: Logins): Promise<BotUser> {
  const lists = await Promise.all(Array.from(clients.values(), listBots));
  const bots = lists.flat().filter(({ is_active }) => is_active);
  const found = bots.filter(({ user_id, full_name, email }) =>
    [String(user_id), full_name, email].includes(named),
  );
  const [user] = found.flatMap((bot) => botUser(bot, site) ?? []);
  if (user) return user;
  const names = [...new Set(bots.map(({ full_name }) => full_name))].join(', ');
  throw new UserError(
    found.length > 0
      ? `${site} does not show you the keys of ${named}: ask its owner.`
      : `${site} has no bot of yours that is called ${named}.${names ? ` You have: ${names}.` : ''}`,
  );
}

/** A bot with its keys; undefined if they are not shown. */
function botUser({ full_name, email, api_key, services }: Bot, site: string): BotUser | undefined {
  if (api_key === undefined) return undefined;
  const [service] = services;
  const user = { full_name, email, site, api_key };
  if (!service || !('base_url' in service)) return { ...user, webhook: undefined };
  const { token, base_url } = service;
  if (token === undefined) return undefined;
  return { ...user, webhook: { token, port: URL.parse(base_url)?.port ?? '' } };
}

/** Writes the keys of a bot user to the `.env` of a project. */
export async function writeKeys(
  directory: string,
  { email, site, api_key, webhook }: BotUser,
  sandbox: LocatedSandbox | undefined,
): Promise<void> {
  const env = [
    `BOT_EMAIL=${email}`,
    ...(webhook ? [`BOT_TOKEN=${webhook.token}`] : []),
    `BOT_API_KEY=${api_key}`,
    `BOT_SITE=${site}`,
    ...(webhook?.port ? [`PORT=${webhook.port}`] : []),
    ...(sandbox?.file.base_url === site
      ? [
          '# Where `bellhop try` and `bellhop bot deliveries` find the sandbox.',
          `BELLHOP_DATA_DIR='${sandbox.dataDir}'`,
        ]
      : []),
  ];
  await writeFile(join(directory, '.env'), `${env.join('\n')}\n`, { mode: 0o600 });
}

async function listBots(client: Client): Promise<readonly Bot[]> {
  const { realm_bots = [], queue_id } = await client.queues.register({
    event_types: ['realm_bot'],
  });
  if (queue_id !== null) await client.queues.remove({ queue_id });
  return realm_bots;
}

const FIRST_PORT = 8080;

/** A port that no bot of the sandbox has, so that several bots can run at once. */
function freePort(bots: readonly Bot[]): number {
  const urls = bots.flatMap(({ services }) =>
    services.map((service) => 'base_url' in service && service.base_url),
  );
  const taken = new Set(urls.map((url) => (url ? Number(new URL(url).port) : 0)));
  let port = FIRST_PORT;
  while (taken.has(port)) port += 1;
  return port;
}

type BotKind = { readonly bot_type: 1 } | { readonly bot_type: 3; readonly payload_url: string };

/** Creates the bot, with a number behind its name if the name is taken. */
async function createBot(client: Client, name: string, kind: BotKind): Promise<UserId> {
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  for (let attempt = 1; ; attempt += 1) {
    const [number, suffix] = attempt === 1 ? ['', ''] : [` ${attempt}`, `-${attempt}`];
    try {
      const { user_id } = await client.bots.create({
        full_name: `${words.join(' ')}${number}`,
        short_name: `${name}${suffix}`,
        ...kind,
      });
      return user_id;
    } catch (error) {
      if (!(error instanceof ApiError) || !/in use/.test(error.message) || attempt > 20)
        throw error;
    }
  }
}
