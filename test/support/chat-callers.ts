import { createClient } from '@bellhop/client';
import { type Role, roles, UserId } from '@bellhop/protocol';
import { type Person, startTestChat, type TestChat } from '@bellhop/server/testing';

import { freezeAccounts } from './freeze-accounts.ts';
import { freezePermissions } from './freeze-permissions.ts';

/** A caller of each kind; undefined sends no credentials. */
export interface ChatCaller {
  readonly credentials: { readonly email: string; readonly api_key: string } | undefined;
  /** Undefined for callers whom every endpoint refuses that reads credentials. */
  readonly person?: Person;
  readonly role?: Role;
  readonly isBot?: boolean;
}

const kinds = [
  'nobody',
  'a wrong key',
  'a malformed key',
  'a deactivated user',
  'an incoming webhook bot',
  'a bot',
  'a bot with the role of an administrator',
  'a guest',
  'a member',
  'a moderator',
  'an administrator',
  'the owner',
] as const;
export type CallerKind = (typeof kinds)[number];
export type ChatCallers = Readonly<Record<CallerKind, ChatCaller>>;

/** A chat whose people keep their accounts, and callers of all kinds. */
export async function startChatWithCallers(
  options?: Parameters<typeof startTestChat>[0],
): Promise<{ chat: TestChat; callers: ChatCallers }> {
  const chat = await startTestChat(options);
  const { desdemona, iago, shiva, hamlet, polonius } = chat.people;
  const bot = await newBot(chat, 1);
  const adminBot = await withRoleOfAdministrator(chat, await newBot(chat, 1));
  const incoming = await newBot(chat, 2);
  await freezeAccounts(chat);
  await freezePermissions(chat);
  await desdemona.client.subscriptions.add({
    subscriptions: [{ name: 'verona' }],
    principals: [desdemona, iago, shiva, hamlet, polonius, bot, adminBot].map(
      ({ user }) => user.id,
    ),
  });
  await chat.addPerson('horatio', roles.member, { password: 'a long password 4' });
  const yorick = await chat.addPerson('yorick');
  await chat.server.app.db.kysely
    .updateTable('realm_user')
    .set({ is_active: false })
    .where('id', '=', yorick.user.id)
    .execute();
  const person = (one: Person, role: Role) => ({ credentials: one, person: one, role });
  return {
    chat,
    callers: {
      nobody: { credentials: undefined },
      'a wrong key': { credentials: { email: hamlet.email, api_key: 'A'.repeat(32) } },
      'a malformed key': { credentials: { email: hamlet.email, api_key: '\u00e9' } },
      'a deactivated user': { credentials: yorick },
      'an incoming webhook bot': { ...person(incoming, roles.member), isBot: true },
      'a bot': { ...person(bot, roles.member), isBot: true },
      'a bot with the role of an administrator': {
        ...person(adminBot, roles.admin),
        isBot: true,
      },
      'a guest': person(polonius, roles.guest),
      'a member': person(hamlet, roles.member),
      'a moderator': person(shiva, roles.moderator),
      'an administrator': person(iago, roles.admin),
      'the owner': person(desdemona, roles.owner),
    },
  };
}

let bots = 0;

/** A bot of Hamlet. */
async function newBot({ people: { hamlet }, url }: TestChat, bot_type: 1 | 2): Promise<Person> {
  const short_name = `caller${++bots}`;
  const { user_id, api_key } = await hamlet.client.bots.create({
    full_name: `Caller ${bots}`,
    short_name,
    bot_type,
  });
  const { bots: all } = await hamlet.client.bots.list();
  const email = all.find(({ full_name }) => full_name === `Caller ${bots}`)?.username ?? '';
  return {
    user: { ...hamlet.user, id: UserId.parse(user_id), is_bot: true, bot_type },
    email,
    api_key,
    client: createClient({ url, email, apiKey: api_key }),
  };
}

/** The bot with the role of an administrator, and so with a new API key. */
async function withRoleOfAdministrator({ people, url }: TestChat, bot: Person): Promise<Person> {
  const { bots: endpoints } = people.desdemona.client;
  const { email, user } = bot;
  await endpoints.update({ bot_id: user.id, role: roles.admin });
  const { api_key } = await endpoints.regenerateApiKey({ bot_id: user.id });
  return { user, email, api_key, client: createClient({ url, email, apiKey: api_key }) };
}
