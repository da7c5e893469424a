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

export const loginHelp = `Asks the running sandbox. For another chat server set, as the owner of the bot:
  BELLHOP_SITE      its address, such as https://chat.example.com
  BELLHOP_EMAIL     your e-mail address
  BELLHOP_API_KEY   your API key, not the bot's`;

const WEBHOOK_BOT = 3;

/** The webhook bots of the people whose logins are known. Throws a UserError without a login. */
export async function ownBots(env: NodeJS.ProcessEnv = process.env): Promise<OwnBot[]> {
  const { BELLHOP_SITE: url, BELLHOP_EMAIL: email, BELLHOP_API_KEY: apiKey } = env;
  if (url && email && apiKey) {
    const client = createClient({ url, email, apiKey });
    const { user_id } = await client.users.me();
    return botsOf(new Map([[user_id, client]]));
  }
  return botsOfSandbox(await requireSandbox(`\n${loginHelp}`));
}

/** The webhook bots of the users of a sandbox. */
export function botsOfSandbox({ base_url: url, users }: SandboxFile): Promise<OwnBot[]> {
  const clients = users.map(
    ({ user_id, email, api_key: apiKey }) =>
      [user_id as UserId, createClient({ url, email, apiKey })] as const,
  );
  return botsOf(new Map(clients));
}

async function botsOf(clients: ReadonlyMap<UserId, Client>): Promise<OwnBot[]> {
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
