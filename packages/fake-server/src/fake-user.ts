import type { UserId } from '@bellhop/protocol';

import type { Account } from './account.ts';
import { requireCanPost } from './recipients.ts';
import { sendMessage } from './send-message.ts';
import { type ConversationName, conversationNamed } from './visible-messages.ts';
import type { World } from './world.ts';

/** A user of the fake server, with credentials for the API. */
export interface FakeUser {
  readonly id: UserId;
  readonly email: string;
  readonly fullName: string;
  readonly apiKey: string;
  /** Sends a message. Throws an ApiError if the user may not post there. */
  readonly send: (content: string, to: SendTo) => { readonly id: number };
  /** Gives the user another name. Messages that mention the earlier one keep it. */
  readonly rename: (fullName: string) => void;
}

/** A topic, or the other users of a direct message. */
export type SendTo =
  | Extract<ConversationName, { channel: string }>
  | { readonly users: FakeUser[] };

export interface FakeBot extends FakeUser {
  /** The token of its outgoing webhook. */
  readonly token: string;
  readonly owner: FakeUser;
  /** The URL of the webhook; setting it affects later messages. */
  payloadUrl: string | undefined;
}

export interface NewBot {
  readonly name: string;
  readonly email?: string;
  readonly payloadUrl?: string;
  readonly owner?: FakeUser;
  /** The form of deliveries and answers; the default is `generic`. */
  readonly interface?: 'generic' | 'slack';
}

export function fakeUser(world: World, account: Account): FakeUser {
  const { user_id, email, api_key: apiKey } = account;
  return {
    id: user_id,
    email,
    get fullName() {
      return account.full_name;
    },
    apiKey,
    send(content, to) {
      const name = 'users' in to ? { users: [...to.users, { id: user_id }] } : to;
      const conversation = conversationNamed(world, name);
      if ('channel' in conversation) requireCanPost(conversation.channel, account);
      const { id } = sendMessage(world, {
        sender: account,
        conversation,
        content,
        client: 'website',
      });
      return { id };
    },
    rename(full_name) {
      account.full_name = full_name;
      world.queues.publish({
        type: 'realm_user',
        audience: world.accounts.map((one) => one.user_id),
        show: () => ({ op: 'update', person: { user_id, full_name } }),
      });
    },
  };
}

/** Throws if the account is not a bot. */
export function fakeBot(world: World, account: Account): FakeBot {
  const { bot } = account;
  if (!bot) throw new Error(`${account.email} is not a bot.`);
  const user = fakeUser(world, account);
  return {
    ...user,
    get fullName() {
      return user.fullName;
    },
    token: bot.token,
    owner: fakeUser(world, bot.owner),
    get payloadUrl() {
      return bot.payloadUrl;
    },
    set payloadUrl(url) {
      bot.payloadUrl = url;
    },
  };
}
