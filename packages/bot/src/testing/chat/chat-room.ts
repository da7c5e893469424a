import type { ChannelId, MessageId } from '@bellhop/protocol';
import { escapeHtml, foldCase, nameAndId, userMention, wildcardOf } from '@bellhop/protocol/plain';

import { BotError } from '../../bot-error.ts';
import type { Person } from '../../delivery.ts';
import type { Destination } from '../../rest/conversation.ts';
import type { CheckedReply } from '../../rest/reply.ts';
import type { RoleName } from '../../role-name.ts';

export interface ChatPerson extends Person {
  fullName: string;
  readonly role: RoleName | 'guest';
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
  /** The JSON text of the widget. An edit ends the buttons of a question. */
  widget?: string;
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
  /** The HTML of messages by their IDs, with the names that people had when it was written. */
  readonly rendered: Map<MessageId, string>;
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
  rendered: new Map(),
  uploads: [],
  files: new Map(),
  channels: [],
  topics: new Map(),
  typing: false,
});

/** A message as HTML: its text, with the IDs of the users that it mentions. */
export function renderedIn({ bot, people }: ChatRoom, content: string): string {
  const everybody = [bot, ...people];
  const html = escapeHtml(content).replaceAll(
    anyMention,
    (whole, silent: string, inside: string) => {
      const { name, id } = nameAndId(inside);
      const isMeant = (one: Person) =>
        id === undefined ? sameName(one.fullName, name) : one.id === id && isNamed(one, name);
      const [user, namesake] = wildcardOf(inside) ? [] : everybody.filter(isMeant);
      if (user === undefined || namesake !== undefined) return whole;
      const [mark, at] = silent === '' ? ['', '@'] : [' silent', ''];
      const shown = escapeHtml(user.fullName);
      return `<span class="user-mention${mark}" data-user-id="${user.id}">${at}${shown}</span>`;
    },
  );
  return `<p>${html}</p>`;
}

/** Whether a message mentions somebody, other than silently. */
export const mentions = (
  { renderedContent }: { readonly renderedContent: string },
  { id }: Pick<Person, 'id'>,
): boolean => renderedContent.includes(`<span class="user-mention" data-user-id="${id}">`);

const anyMention = new RegExp(userMention.source, 'g');
const sameName = (escaped: string, name: string) =>
  foldCase(escapeHtml(escaped)) === foldCase(name);
const isNamed = ({ fullName }: Person, name: string) =>
  name === '' || escapeHtml(fullName) === name;

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
  room.rendered.set(id, renderedIn(room, message.content));
  return message;
}

/** Changes the content of a message. Throws BotError `api_rejected` for a poll or a to-do list. */
export function editMessage(room: ChatRoom, message: ChatMessage, content: string): void {
  const { widget } = message;
  if (widget !== undefined && !/^\{\s*"widget_type":\s*"zform"/.test(widget))
    throw new BotError('api_rejected', 'Widgets cannot be edited.');
  delete message.widget;
  message.edits.push(message.content);
  message.content = content;
  room.rendered.set(message.id, renderedIn(room, content));
}
