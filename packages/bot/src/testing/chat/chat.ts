import type { UserId } from '@bellhop/protocol';
import { calledBots } from '@bellhop/protocol/plain';

import type { BotOptions } from '../../bot-options.ts';
import type { Clock } from '../../clock.ts';
import type { ChannelMessage, Delivery, DirectMessage } from '../../delivery.ts';
import type { DeliveryReport, Failure, Warning } from '../../hooks.ts';
import { type AnyBot, internals } from '../../internals.ts';
import { receiverOf } from '../../queue/message-delivery.ts';
import { conversationOf } from '../../rest/conversation.ts';
import { observe } from '../../rest/observe.ts';
import { restReplySender } from '../../rest/rest-reply-sender.ts';
import { Runtime } from '../../runtime.ts';
import { recordingHooks } from '../recording-hooks.ts';
import { type VirtualClock, virtualClock } from '../virtual-clock.ts';
import { type ChatChanges, chatChanges } from './chat-changes.ts';
import { addFile } from './chat-files.ts';
import { chatFollowUps, isSubscribed } from './chat-follow-ups.ts';
import { chatRest } from './chat-rest.ts';
import {
  type ChatPerson,
  nextMessageId,
  type ChatMessage,
  addMessage,
  channelId,
  mentions,
  newRoom,
  renderedIn,
} from './chat-room.ts';

/** The options that chat() passes to a function that makes a bot. */
export type ChatBotOptions = BotOptions & { readonly email: string; readonly token: string };

export interface ChatOptions {
  /** The full name of the bot; default: `Bot`. */
  readonly name?: string;
  /** A reply after this time goes by REST, in milliseconds; default: 8000. */
  readonly deadlineMs?: number;
}

export interface ChatUserOptions {
  readonly role?: ChatPerson['role'];
}

/** A user in one conversation with the bot. */
export interface ChatSpeaker {
  /**
   * Sends a message to the bot; in a channel it adds the mention of the bot. Resolves with the
   * messages that the bot has sent when its handler has ended.
   */
  readonly says: (text: string, options?: ChatMessageOptions) => Promise<string[]>;
}

export interface ChatMessageOptions {
  /** Files that the message links to. */
  readonly files?: readonly File[];
}

/** A user in a topic. */
export interface ChannelSpeaker extends ChatSpeaker {
  /**
   * Sends a message as it is: the bot gets it if it mentions the bot, or if the bot is subscribed to
   * the topic. Resolves like `says`.
   */
  readonly writes: ChatSpeaker['says'];
}

export interface ChatUser extends ChatSpeaker, ChatChanges {
  readonly id: UserId;
  readonly fullName: string;
  /** Gives the user another name. */
  readonly rename: (fullName: string) => void;
  /** The user in a channel; without it they write direct messages to the bot. */
  readonly inChannel: (channel: string, topic: string) => ChannelSpeaker;
  /** The user in a group direct message with the bot and others. */
  readonly withOthers: (...others: readonly ChatUser[]) => ChatSpeaker;
}

/** A chat with one bot, in memory; time passes only by `advance`. */
export interface Chat {
  readonly clock: VirtualClock;
  readonly user: (name: string, options?: ChatUserOptions) => ChatUser;
  /** Gives the bot another name, by which later messages mention it. */
  readonly renameBot: (fullName: string) => void;
  /** The messages that are not deleted, as `Ada: text`. */
  readonly transcript: () => string[];
  readonly messages: readonly ChatMessage[];
  readonly last: () => ChatMessage | undefined;
  /** The files that the bot has uploaded. */
  readonly uploads: readonly File[];
  /** Whether the bot is shown as typing. */
  readonly isTyping: () => boolean;
  /** Lets time pass, for deadlines, schedules and tasks. */
  readonly advance: (ms: number) => Promise<void>;
  /** Delivers the last message again, like a server after a lost answer. */
  readonly redeliver: () => Promise<string[]>;
  /** The reports that the hooks of the bot got. */
  readonly reports: readonly DeliveryReport[];
  readonly failures: readonly Failure[];
  readonly warnings: readonly Warning[];
}

/** Fires each timer at once. */
const instantClock: Clock = {
  now: Date.now,
  after(_ms, call) {
    const soon = setImmediate(call);
    return () => clearImmediate(soon);
  },
};

/**
 * A chat with a bot, or with the bot that a function makes. It needs no server and no network, and
 * time passes only by `advance`.
 */
export function chat(
  subject: AnyBot | ((options: ChatBotOptions) => AnyBot),
  { name = 'Bot', deadlineMs = 8000 }: ChatOptions = {},
): Chat {
  const clock = virtualClock();
  const botUser = { id: 1 as UserId, email: 'bot@chat.test', fullName: name };
  const room = newRoom(botUser, { now: clock.now });
  const chatApi = chatRest(room);
  const bot =
    typeof subject === 'function'
      ? subject({ email: botUser.email, token: 'token', clock })
      : subject;
  const { settings, routes } = bot[internals];
  const rest = settings.record ? observe(chatApi, settings.record) : chatApi;
  const replySender = restReplySender(rest);
  const followUps = chatFollowUps(room, clock);
  const { hooks, reports, failures, warnings } = recordingHooks();
  const runtime = new Runtime(bot, {
    hooks,
    deadlineMs,
    place: 'test',
    instead: {
      // Each run counts its messages from 1: the records of an earlier one would answer them.
      store: undefined,
      clock,
      pauseClock: instantClock,
      rest,
      replySender,
      followUps: () => followUps,
    },
  });
  const { dispatcher } = runtime;
  const workStarted = runtime.startWork();
  let lastDelivery: Delivery | undefined;
  let lastAnswer: ChatMessage | undefined;

  async function deliver(delivery: Delivery): Promise<string[]> {
    lastDelivery = delivery;
    await workStarted;
    const before = room.messages.length;
    const reply = await dispatcher.accept(delivery);
    lastAnswer =
      reply &&
      addMessage(room, {
        sender: botUser,
        destination: conversationOf(delivery),
        via: 'response',
        ...reply,
      });
    await dispatcher.ended(delivery);
    return room.messages
      .slice(before)
      .flatMap(({ sender, content }) => (sender === botUser ? [content] : []));
  }

  function speaker(person: ChatPerson, compose: (text: string) => AddressedMessage): ChatSpeaker {
    return {
      says(spoken, { files = [] } = {}) {
        const text = [spoken, ...files.map((file) => addFile(room, file))].join('\n');
        const to = compose(text);
        const recipientBot = { ...receiverOf(botUser), botEmail: bot.email };
        const message = {
          id: nextMessageId(),
          content: to.content,
          renderedContent: renderedIn(room, to.content),
          sender: person,
          timestamp: Math.floor(clock.now() / 1000),
        };
        const inChannel = 'topic' in to;
        const isMentioned = inChannel && (to.isMentioned || mentions(message, botUser));
        const trigger = calledBots({
          isFromBot: false,
          participants: inChannel ? undefined : to.recipients.map(({ id }) => id),
          mentioned: isMentioned ? [botUser.id] : [],
          followers: inChannel && isSubscribed(room, to, clock.now()) ? [botUser.id] : [],
        }).get(botUser.id);
        const delivery = {
          ...recipientBot,
          trigger,
          message: inChannel
            ? { ...message, channel: to.channel, topic: to.topic }
            : { ...message, recipients: to.recipients },
        };
        const destination = conversationOf(delivery);
        addMessage(room, { sender: person, destination, via: 'user', content: text });
        return trigger ? deliver(delivery as Delivery) : Promise.resolve([]);
      },
    };
  }

  function user(fullName: string, { role = 'member' }: ChatUserOptions = {}): ChatUser {
    const id = (room.people.length + 2) as UserId;
    const person: ChatPerson = { id, email: `user${id}@chat.test`, fullName, role };
    room.people.push(person);
    const direct = (others: readonly ChatUser[]): ChatSpeaker => {
      const ids = new Set([id, ...others.map((other) => other.id)]);
      const recipients = [...room.people.filter((one) => ids.has(one.id)), botUser];
      return speaker(person, (content) => ({ content, recipients }));
    };
    return {
      id,
      get fullName() {
        return person.fullName;
      },
      rename: (later) => void (person.fullName = later),
      ...direct([]),
      ...chatChanges({
        room,
        person,
        isWanted: (trigger) => routes.changes().includes(trigger),
        deliver,
      }),
      withOthers: (...others) => direct(others),
      inChannel(channel, topic) {
        const channelRef = { id: channelId(room, channel), name: channel };
        const place = { channel: channelRef, topic };
        return {
          ...speaker(person, (text) => ({
            content: `@**${botUser.fullName}** ${text}`,
            isMentioned: true,
            ...place,
          })),
          writes: speaker(person, (content) => ({ content, isMentioned: false, ...place })).says,
        };
      },
    };
  }

  return {
    clock,
    user,
    renameBot: (later) => void (botUser.fullName = later),
    transcript: () => room.messages.map(({ sender, content }) => `${sender.fullName}: ${content}`),
    messages: room.messages,
    last: () => room.messages.at(-1),
    uploads: room.uploads,
    isTyping: () => room.typing,
    async advance(ms) {
      await workStarted;
      await clock.advance(ms);
    },
    redeliver() {
      if (lastDelivery === undefined) throw new Error('redeliver() needs an earlier message.');
      // Users never saw the lost answer.
      const at = room.messages.findIndex((one) => one === lastAnswer);
      if (at >= 0) room.messages.splice(at, 1);
      return deliver(lastDelivery);
    },
    reports,
    failures,
    warnings,
  };
}

/** The content of a message to the bot, and its destination. */
type AddressedMessage = { readonly content: string } & (
  | Pick<DirectMessage, 'recipients'>
  | (Pick<ChannelMessage, 'channel' | 'topic'> & {
      /** Whether it mentions the bot, whoever else has its name. */
      readonly isMentioned: boolean;
    })
);
