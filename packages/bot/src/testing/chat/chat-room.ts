import type { ChannelId, MessageId, roles } from '@bellhop/protocol';

import type { Person } from '../../delivery.ts';
import type { CheckedReply } from '../../reply.ts';
import type { Destination } from '../../rest/conversation.ts';

export interface ChatPerson extends Person {
  readonly role: keyof typeof roles;
}

/** A message of a conversation under test. */
export interface ChatMessage extends CheckedReply {
  readonly id: MessageId;
  readonly sender: Person;
  destination: Destination;
  /** Whether a user sent it, or the bot in the answer to the webhook or by REST. */
  readonly via: 'user' | 'response' | 'rest';
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** The current Markdown. */
  content: string;
  /** The earlier contents, the oldest first. */
  readonly edits: string[];
  /** The names of the bot's reactions. */
  readonly reactions: string[];
}

/** The state of a chat under test. */
export interface ChatRoom {
  readonly bot: Person;
  readonly people: ChatPerson[];
  readonly messages: ChatMessage[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uploads: File[];
  /** The files of users, by their paths. */
  readonly files: Map<string, File>;
  /** The names of the channels; their IDs are their places, from 1. */
  readonly channels: string[];
  /** The topics that the bot is subscribed to, with the end in milliseconds since 1970. */
  readonly topics: Map<string, number>;
  /** Whether the bot is shown as typing. */
  typing: boolean;
}

/** A room without messages. */
export const newRoom = (
  bot: Person,
  { people = [], now = Date.now }: { people?: ChatPerson[]; now?: () => number } = {},
): ChatRoom => ({
  bot,
  people,
  now,
  messages: [],
  uploads: [],
  files: new Map(),
  channels: [],
  topics: new Map(),
  typing: false,
});

/** The ID of a channel, which is added if it is new. */
export function channelId({ channels }: Pick<ChatRoom, 'channels'>, name: string): ChannelId {
  if (!channels.includes(name)) channels.push(name);
  return (channels.indexOf(name) + 1) as ChannelId;
}

/** Unique in the process: chats may share a store. */
let lastId = 0;
export const nextMessageId = (): MessageId => (lastId + 1) as MessageId;

type NewChatMessage = Pick<ChatMessage, 'sender' | 'destination' | 'via'> & CheckedReply;

export function addMessage(room: ChatRoom, added: NewChatMessage): ChatMessage {
  const id = nextMessageId();
  lastId = id;
  const timestamp = Math.floor(room.now() / 1000);
  const message = { ...added, id, timestamp, edits: [], reactions: [] };
  room.messages.push(message);
  return message;
}
