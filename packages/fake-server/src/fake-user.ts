import type { UserId } from '@bellhop/protocol';

import type { Account } from './account.ts';
import { requireCanPost } from './recipients.ts';
import { sendMessage } from './send-message.ts';
import { type ConversationName, conversationNamed } from './visible-messages.ts';
import type { World } from './world.ts';

/** A user of the fake server, with credentials for the API. */
export interface FakeUser {
  readonly user_id: UserId;
  readonly email: string;
  readonly full_name: string;
  readonly apiKey: string;
  /** Sends a message. Throws an ApiError if the user may not post there. */
  readonly send: (
    to: Extract<ConversationName, { channel: string }> | { readonly to: FakeUser | FakeUser[] },
    content: string,
  ) => { readonly id: number };
}

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
  const { user_id, email, full_name, api_key: apiKey } = account;
  return {
    user_id,
    email,
    full_name,
    apiKey,
    send(to, content) {
      const name = 'to' in to ? { between: [...[to.to].flat(), { user_id }] } : to;
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
  };
}

/** Throws if the account is not a bot. */
export function fakeBot(world: World, account: Account): FakeBot {
  const { bot } = account;
  if (!bot) throw new Error(`${account.email} is not a bot.`);
  return {
    ...fakeUser(world, account),
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
