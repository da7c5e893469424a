import { randomBytes } from 'node:crypto';

import type { BotType, ChannelId, MessageId, Role, UserId } from '@bellhop/protocol';

import { type EventQueues, eventQueues } from './event-queues.ts';
import type { StoredMessage } from './stored-message.ts';

/** A person or a bot. */
export interface Account {
  readonly user_id: UserId;
  readonly email: string;
  readonly full_name: string;
  readonly api_key: string;
  readonly role: Role;
  /** UNIX time in seconds. */
  readonly date_joined: number;
  readonly bot: BotAccount | undefined;
  /** What the account keeps in bot storage. */
  readonly storage: Map<string, string>;
}
export interface BotAccount {
  readonly type: BotType;
  readonly owner: Account;
  readonly token: string;
  /** Where it is told of messages; undefined for one that is not. */
  payloadUrl: string | undefined;
  /** How it is told and answers: in the protocol's own form, or as Slack would. */
  readonly interface: 'generic' | 'slack';
}

export interface Channel {
  readonly stream_id: ChannelId;
  readonly name: string;
  readonly invite_only: boolean;
  readonly subscribers: Set<UserId>;
}

/** Where a message is: in a topic of a channel, or between people (the sender among them, by id). */
export type Place =
  | { readonly channel: Channel; readonly topic: string }
  | { readonly people: readonly Account[] };

/** Everything a fake server knows. */
export interface World {
  readonly accounts: Account[];
  readonly channels: Channel[];
  readonly messages: StoredMessage[];
  readonly queues: EventQueues;
  /** UNIX time in seconds. */
  readonly now: () => number;
  /** Where it listens; empty before it does. */
  url: string;
  /** Told of every message that was sent. */
  onMessage: (message: StoredMessage) => void;
}

interface WorldOptions {
  readonly now: () => number;
  readonly heartbeatMs: number;
}

export function createWorld({ now, heartbeatMs }: WorldOptions): World {
  return {
    accounts: [],
    channels: [],
    messages: [],
    queues: eventQueues({ heartbeatMs }),
    now,
    url: '',
    onMessage: () => {},
  };
}

/** 32 letters and digits, as API keys and tokens are. */
export const secret = (): string => randomBytes(16).toString('hex');

const FIRST_USER = 8;

interface NewAccount {
  readonly full_name: string;
  readonly email: string;
  readonly role: Role;
  readonly bot?: BotAccount;
}

/** Throws where somebody has the address already. */
export function addAccount(world: World, { full_name, email, role, bot }: NewAccount): Account {
  if (accountOf(world, email)) throw new Error(`Somebody has the address ${email} already.`);
  const account: Account = {
    user_id: (FIRST_USER + world.accounts.length) as UserId,
    email,
    full_name,
    api_key: secret(),
    role,
    date_joined: world.now(),
    bot,
    storage: new Map(),
  };
  world.accounts.push(account);
  return account;
}

export const accountOf = (world: World, email: string): Account | undefined =>
  world.accounts.find((account) => account.email.toLowerCase() === email.toLowerCase());

export const accountById = (world: World, id: number): Account | undefined =>
  world.accounts.find((account) => account.user_id === id);

interface NewChannel {
  readonly name: string;
  readonly invite_only: boolean;
  readonly subscribers: readonly UserId[];
}

export function addChannel(world: World, { name, invite_only, subscribers }: NewChannel): Channel {
  if (channelNamed(world, name)) throw new Error(`There is a channel ${name} already.`);
  const stream_id = (world.channels.length + 1) as ChannelId;
  const channel = { stream_id, name, invite_only, subscribers: new Set(subscribers) };
  world.channels.push(channel);
  return channel;
}

export const channelNamed = (world: World, name: string): Channel | undefined =>
  world.channels.find((channel) => channel.name.toLowerCase() === name.toLowerCase());

export const nextMessageId = ({ messages }: World): MessageId =>
  ((messages.at(-1)?.id ?? 0) + 1) as MessageId;

export const nextSubmessageId = ({ messages }: World): number =>
  messages.reduce((sum, { submessages }) => sum + submessages.length, 1);
