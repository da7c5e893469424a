import { randomBytes } from 'node:crypto';

import type {
  ChannelId,
  MessageChangeKind,
  MessageId,
  Role,
  UserId,
  WebhookChange,
} from '@bellhop/protocol';

import type { Account, BotAccount } from './account.ts';
import type { BotTopic } from './bot-topic.ts';
import type { Channel } from './conversation.ts';
import { type EventQueues, eventQueues } from './event-queues.ts';
import type { StoredFile } from './stored-file.ts';
import type { StoredMessage } from './stored-message.ts';

/** A user's change to a message. */
export interface ChangedMessage {
  readonly message: StoredMessage;
  readonly user: Account;
  readonly kind: MessageChangeKind;
  readonly details?: Pick<WebhookChange, 'op' | 'emoji_name' | 'emoji_code' | 'orig_content'>;
}

/** The state of a fake server. */
export interface World {
  readonly accounts: Account[];
  readonly channels: Channel[];
  readonly messages: StoredMessage[];
  readonly botTopics: BotTopic[];
  readonly files: StoredFile[];
  readonly queues: EventQueues;
  /** UNIX time in seconds. */
  readonly now: () => number;
  /** The URL of the server; empty before it listens. */
  url: string;
  /** Called with every sent message. */
  onMessage: (message: StoredMessage) => void;
  /** Called with the changes that users make to messages. */
  onChange: (change: ChangedMessage) => void;
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
    botTopics: [],
    files: [],
    queues: eventQueues({ heartbeatMs }),
    now,
    url: '',
    onMessage: () => {},
    onChange: () => {},
  };
}

/** An API key or a token: 32 hexadecimal digits. */
export const secret = (): string => randomBytes(16).toString('hex');

const FIRST_USER = 8;

interface NewAccount {
  readonly full_name: string;
  readonly email: string;
  readonly role: Role;
  readonly bot?: BotAccount;
}

/** Throws if an account has the e-mail address already. */
export function addAccount(world: World, { full_name, email, role, bot }: NewAccount): Account {
  if (accountOf(world, email)) throw new Error(`Another account has the address ${email}.`);
  const account: Account = {
    user_id: (FIRST_USER + world.accounts.length) as UserId,
    email,
    full_name,
    api_key: secret(),
    role,
    date_joined: world.now(),
    bot,
    changes: new Set(),
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
