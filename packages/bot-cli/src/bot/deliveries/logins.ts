import { type Client, createClient } from '@bellhop/client';
import type { UserId } from '@bellhop/protocol';

import { UserError } from '../../command-line/user-error.ts';
import { requireSandbox } from '../../sandbox-file/find-sandbox.ts';
import type { SandboxFile } from '../../sandbox-file/sandbox-file.ts';

/** An outgoing webhook bot, and its owner's client. */
export interface OwnBot {
  readonly bot_id: UserId;
  readonly name: string;
  readonly email: string;
  readonly client: Client;
}

const loginVariables = `  BELLHOP_SITE      its address, such as https://chat.example.com
  BELLHOP_EMAIL     your e-mail address
  BELLHOP_API_KEY   your API key, not the bot's`;

export const loginHelp = `Asks the running sandbox. For another chat server set, as the owner of the bot:
${loginVariables}`;

const WEBHOOK_BOT = 3;

/** People of a chat server whose logins are known. */
export interface Logins {
  readonly site: string;
  readonly clients: ReadonlyMap<UserId, Client>;
}

/** A person whose login the environment has. */
export interface OwnLogin {
  readonly site: string;
  readonly client: Client;
}

/**
 * The login that the environment names; undefined if it names no server. Throws a UserError for a server
 * without a login: the sandbox would be asked in its place, and nobody would see that.
 */
export function loginOfEnvironment(env: NodeJS.ProcessEnv = process.env): OwnLogin | undefined {
  const { BELLHOP_SITE: site, BELLHOP_EMAIL: email, BELLHOP_API_KEY: apiKey } = env;
  if (!site) return undefined;
  if (email && apiKey) return { site, client: createClient({ url: site, email, apiKey }) };
  throw new UserError(
    `BELLHOP_SITE is ${site}, and your login there is missing:\n${loginVariables}`,
  );
}

/** The login of the environment, or those of the running sandbox. Throws a UserError if there is none. */
export async function knownLogins(): Promise<Logins> {
  const login = loginOfEnvironment();
  if (!login) return loginsOfSandbox(await requireSandbox(`\n${loginHelp}`));
  const { user_id } = await login.client.users.me();
  return { site: login.site, clients: new Map([[user_id, login.client]]) };
}

/** The webhook bots of the people whose logins are known. Throws a UserError without a login. */
export const ownBots = async (): Promise<OwnBot[]> => botsOf(await knownLogins());

/** The webhook bots of the users of a sandbox. */
export const botsOfSandbox = (sandbox: SandboxFile): Promise<OwnBot[]> =>
  botsOf(loginsOfSandbox(sandbox));

function loginsOfSandbox({ base_url: site, users }: SandboxFile): Logins {
  const clients = users.map(
    ({ user_id, email, api_key: apiKey }) =>
      [user_id as UserId, createClient({ url: site, email, apiKey })] as const,
  );
  return { site, clients: new Map(clients) };
}

async function botsOf({ clients }: Logins): Promise<OwnBot[]> {
  const [any] = clients.values();
  const { members } = (await any?.users.list({})) ?? { members: [] };
  return members.flatMap((member) => {
    const { is_bot, user_id: bot_id, full_name: name, email } = member;
    if (!is_bot || member.bot_type !== WEBHOOK_BOT || !member.is_active) return [];
    const client = member.bot_owner_id == null ? undefined : clients.get(member.bot_owner_id);
    return client ? [{ bot_id, name, email, client }] : [];
  });
}

/**
 * The bots with this name, e-mail address or id; all if no name is given. Throws a UserError if
 * there is none.
 */
export function botsNamed(bots: readonly OwnBot[], named: string | undefined): readonly OwnBot[] {
  const found =
    named === undefined
      ? bots
      : bots.filter(({ bot_id, name, email }) => [String(bot_id), name, email].includes(named));
  if (found.length > 0) return found;
  const known = bots.map(({ name }) => name).join(', ');
  throw new UserError(
    known === ''
      ? 'You own no bot with an outgoing webhook.'
      : `You own no bot with an outgoing webhook that is called ${named}. You have: ${known}.`,
  );
}
