import type { UserId } from '@bellhop/protocol';

import type { Account } from './account.ts';
import { requireCanPost } from './address.ts';
import { type Conversation, placeOf } from './conversation.ts';
import { sendMessage } from './send-message.ts';
import type { World } from './world.ts';

/** A user of the fake server; the API knows them by `email` and `apiKey`. */
export interface FakeUser {
  readonly user_id: UserId;
  readonly email: string;
  readonly full_name: string;
  readonly apiKey: string;
  /** Says something, as a client of theirs would. Throws an ApiError where they may not. */
  readonly send: (
    place: Extract<Conversation, { channel: string }> | { readonly to: FakeUser | FakeUser[] },
    content: string,
  ) => { readonly id: number };
}

export interface FakeBot extends FakeUser {
  /** The token of its outgoing webhook. */
  readonly token: string;
  readonly owner: FakeUser;
  /** Where it listens from now on. */
  payloadUrl: string | undefined;
}

export interface NewBot {
  readonly name: string;
  readonly email?: string;
  readonly payloadUrl?: string;
  readonly owner?: FakeUser;
  /** How it is told and answers; `generic` unless said otherwise. */
  readonly interface?: 'generic' | 'slack';
}

export function fakeUser(world: World, account: Account): FakeUser {
  const { user_id, email, full_name, api_key: apiKey } = account;
  return {
    user_id,
    email,
    full_name,
    apiKey,
    send(where, content) {
      const others = 'to' in where ? [where.to].flat() : [];
      const place = placeOf(world, 'to' in where ? { between: [...others, { user_id }] } : where);
      if ('channel' in place) requireCanPost(place.channel, account);
      const { id } = sendMessage(world, { sender: account, place, content, client: 'website' });
      return { id };
    },
  };
}

/** Throws for an account that is no bot. */
export function fakeBot(world: World, account: Account): FakeBot {
  const { bot } = account;
  if (!bot) throw new Error(`${account.email} is no bot.`);
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
