import { concernedBots } from '@bellhop/protocol/plain';

import type {
  ChangeDelivery,
  ChannelMessage,
  DirectMessage,
  MessageChange,
  Person,
} from '../../delivery.ts';
import { receiverOf } from '../../queue/message-delivery.ts';
import { isSubscribed } from './chat-follow-ups.ts';
import { channelId, type ChatMessage, type ChatRoom, editMessage } from './chat-room.ts';

/**
 * Changes that a user makes to messages. All resolve with the messages that the bot has sent when
 * its handler has ended.
 */
export interface ChatChanges {
  /** Reacts to a message; default: the last of the bot. */
  readonly reacts: (emoji: string, to?: ChatMessage) => Promise<string[]>;
  readonly unreacts: (emoji: string, to?: ChatMessage) => Promise<string[]>;
  /** Changes the content of a message. */
  readonly edits: (message: ChatMessage, content: string) => Promise<string[]>;
  readonly deletes: (message: ChatMessage) => Promise<string[]>;
}

interface ChatChangesOptions {
  readonly room: ChatRoom;
  readonly person: Person;
  /** Whether the bot has a handler for the change. */
  readonly isWanted: (trigger: ChangeDelivery['trigger']) => boolean;
  readonly deliver: (delivery: ChangeDelivery) => Promise<string[]>;
}

/** Unique in the process: chats may share a store. */
let changes = 0;

export function chatChanges({ room, person, isWanted, deliver }: ChatChangesOptions): ChatChanges {
  /** Delivers a change of a message that concerns the bot. */
  async function tell(
    trigger: ChangeDelivery['trigger'],
    about: ChatMessage,
    change: Omit<MessageChange, 'id'>,
  ): Promise<string[]> {
    const { bot } = room;
    const message = deliveredMessage(room, about);
    const inChannel = 'topic' in message;
    const concerned = concernedBots({
      sender: about.sender.id,
      participants: inChannel ? undefined : message.recipients.map((one) => one.id),
      followers: inChannel && isSubscribed(room, message, room.now()) ? [bot.id] : [],
    });
    if (!isWanted(trigger) || !concerned.has(bot.id)) return [];
    const id = `chat:${++changes}`;
    return deliver({ ...receiverOf(bot), trigger, message, change: { ...change, id } });
  }

  const react =
    (isRemoved: boolean) =>
    async (emoji: string, to = lastOfBot(room)): Promise<string[]> =>
      tell('reaction', to, { by: person, reaction: { emoji, code: '', isRemoved } });

  return {
    reacts: react(false),
    unreacts: react(true),
    async edits(message, content) {
      const earlierContent = message.content;
      editMessage(room, message, content);
      return tell('edit', message, { by: person, earlierContent });
    },
    async deletes(message) {
      room.messages.splice(room.messages.indexOf(message), 1);
      return tell('delete', { ...message, content: '' }, { by: undefined });
    },
  };
}

function lastOfBot({ bot, messages }: ChatRoom): ChatMessage {
  const last = messages.findLast(({ sender }) => sender.id === bot.id);
  if (last === undefined) throw new Error('The bot has sent nothing to react to.');
  return last;
}

/** A message of the room as a delivery has it. */
function deliveredMessage(
  room: ChatRoom,
  { id, content, sender, timestamp, destination }: ChatMessage,
): ChannelMessage | DirectMessage {
  const renderedContent = content === '' ? '' : (room.rendered.get(id) ?? '');
  const common = { id, content, renderedContent, sender, timestamp };
  if ('topic' in destination) {
    const isNamed = 'channel' in destination;
    const ofChannel = isNamed ? channelId(room, destination.channel) : destination.channelId;
    const name = isNamed ? destination.channel : (room.channels[ofChannel - 1] ?? '');
    const channel = { id: ofChannel as ChannelMessage['channel']['id'], name };
    return { ...common, channel, topic: destination.topic };
  }
  const isMeant = (one: Person) =>
    'emails' in destination
      ? destination.emails.includes(one.email)
      : destination.userIds.some((userId) => userId === one.id);
  return { ...common, recipients: [...room.people.filter(isMeant), room.bot] };
}
