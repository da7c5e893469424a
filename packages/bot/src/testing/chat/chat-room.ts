import type { MessageId, roles } from '@bellhop/protocol';

import type { Person } from '../../delivery.ts';
import type { CheckedReply } from '../../reply.ts';
import type { Destination } from '../../rest/place.ts';

export interface ChatPerson extends Person {
  readonly role: keyof typeof roles;
}

/** A message of a conversation under test. */
export interface ChatMessage extends CheckedReply {
  readonly id: MessageId;
  readonly from: Person;
  readonly place: Destination;
  /** How it came: of a user, in the answer to the webhook, or by REST. */
  readonly via: 'user' | 'response' | 'rest';
  /** As it is now. */
  text: string;
  /** What it was before, the oldest first. */
  readonly edits: string[];
  /** The names of the bot's reactions. */
  readonly reactions: string[];
}

/** Everything that a chat under test remembers. */
export interface ChatRoom {
  readonly bot: Person;
  readonly people: ChatPerson[];
  readonly said: ChatMessage[];
  readonly uploads: File[];
  /** Whether the bot is shown as typing. */
  typing: boolean;
}

/** Chats of one program may share a store: no message has the id of another. */
let lastId = 0;
export const nextMessageId = (): MessageId => (lastId + 1) as MessageId;

type NewSaid = Pick<ChatMessage, 'from' | 'place' | 'via'> & CheckedReply;

export function addMessage(
  room: ChatRoom,
  { content, widget_content, ...about }: NewSaid,
): ChatMessage {
  const widget = widget_content === undefined ? {} : { widget_content };
  const id = nextMessageId();
  lastId = id;
  const said = { ...about, ...widget, id, content, text: content, edits: [], reactions: [] };
  room.said.push(said);
  return said;
}
