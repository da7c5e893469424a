import type { ChannelId, UserId } from '@bellhop/protocol';

import type { BotOptions } from '../../bot-options.ts';
import type { Clock } from '../../clock.ts';
import { Desk } from '../../deliveries/desk.ts';
import type { ChannelMessage, Delivery, DirectMessage } from '../../delivery.ts';
import type { DeliveryReport, Failure, Warning } from '../../hooks.ts';
import { type AnyBot, inside } from '../../inside.ts';
import { placeOf } from '../../rest/place.ts';
import { restSpeaker } from '../../rest/rest-speaker.ts';
import { recordingHooks } from '../recording-hooks.ts';
import { type VirtualClock, virtualClock } from '../virtual-clock.ts';
import { chatRest } from './chat-rest.ts';
import { type ChatPerson, nextMessageId, type Said, sayIn, type Talk } from './talk.ts';

/** What chat() gives to a function that makes a bot. */
export type ChatBotOptions = BotOptions & { readonly email: string; readonly token: string };

export interface ChatOptions {
  /** What the bot is called, `Bot` unless said otherwise. */
  readonly name?: string;
  /** How long an answer may take before the reply goes by REST: 8000 unless said otherwise. */
  readonly deadlineMs?: number;
}

export interface NewChatUser {
  readonly role?: ChatPerson['role'];
}

/** Somebody in a conversation with the bot. */
export interface Voice {
  /**
   * Says something to the bot, which is mentioned in a channel without the text saying so. Resolves
   * when the bot's handler has ended, with what the bot has said meanwhile.
   */
  readonly says: (text: string) => Promise<string[]>;
}

export interface ChatUser extends Voice {
  readonly id: UserId;
  readonly name: string;
  /** The same user in a channel. Otherwise they write direct messages to the bot. */
  readonly inChannel: (channel: string, topic: string) => Voice;
  /** The same user in a direct message to the bot and others. */
  readonly withOthers: (...others: readonly ChatUser[]) => Voice;
}

/** A chat with one bot, in memory, on a clock that stands still. */
export interface Chat {
  readonly clock: VirtualClock;
  readonly user: (name: string, about?: NewChatUser) => ChatUser;
  /** All that was said and is still there, as `Ada: text`. */
  readonly transcript: () => string[];
  readonly said: readonly Said[];
  readonly last: () => Said | undefined;
  /** Files the bot has uploaded. */
  readonly uploads: readonly File[];
  /** Whether the bot is shown as typing. */
  readonly isTyping: () => boolean;
  /** Lets time pass: for deadlines, schedules, and what was put off. */
  readonly advance: (ms: number) => Promise<void>;
  /** Takes the answer to the last message as lost, and brings the message to the bot once more. */
  readonly redeliver: () => Promise<string[]>;
  /** What became of each delivery, what failed, and what was warned of. */
  readonly reports: readonly DeliveryReport[];
  readonly failures: readonly Failure[];
  readonly warnings: readonly Warning[];
}

/** Makes no pauses. */
const hasty: Clock = {
  now: Date.now,
  after(_ms, call) {
    const soon = setImmediate(call);
    return () => clearImmediate(soon);
  },
};

/**
 * A chat with a bot, or with what makes one of the options it is given: no server, no network, and no
 * time passes but that which the test lets pass.
 */
export function chat(
  subject: AnyBot | ((options: ChatBotOptions) => AnyBot),
  { name = 'Bot', deadlineMs = 8000 }: ChatOptions = {},
): Chat {
  const clock = virtualClock();
  const me = { id: 1 as UserId, email: 'bot@chat.test', full_name: name };
  const talk: Talk = { bot: me, people: [], said: [], uploads: [], typing: false };
  const rest = chatRest(talk);
  const made =
    typeof subject === 'function'
      ? subject({ email: me.email, token: 'token', clock, rest })
      : subject;
  const speaker = {
    ...restSpeaker(rest, me.email),
    hasSaid: async () => false,
  };
  const bot: AnyBot = {
    email: made.email,
    [inside]: { ...made[inside], clock, pauses: hasty, rest, speaker },
  };
  const { hooks, reports, failures, warnings } = recordingHooks();
  const desk = new Desk(bot, { hooks, deadlineMs });
  const working = bot[inside].startWork(hooks.onError);
  const channels: string[] = [];
  let lastDelivery: Delivery | undefined;
  let lastAnswer: Said | undefined;

  async function deliver(delivery: Delivery): Promise<string[]> {
    lastDelivery = delivery;
    await working;
    const before = talk.said.length;
    const reply = await desk.accept(delivery);
    lastAnswer =
      reply && sayIn(talk, { from: me, place: placeOf(delivery), via: 'response', ...reply });
    await desk.ended(delivery);
    return talk.said.slice(before).flatMap(({ from, text }) => (from === me ? [text] : []));
  }

  function voice(person: ChatPerson, address: (text: string) => Address): Voice {
    return {
      says(text) {
        const to = address(text);
        const about = { bot_email: bot.email, bot_full_name: name };
        const message = {
          id: nextMessageId(),
          content: to.content,
          rendered_content: '',
          sender: person,
          timestamp: Math.floor(clock.now() / 1000),
        };
        const delivery: Delivery =
          'recipients' in to
            ? {
                ...about,
                trigger: 'direct_message',
                message: { ...message, recipients: to.recipients },
              }
            : {
                ...about,
                trigger: 'mention',
                message: { ...message, channel: to.channel, topic: to.topic },
              };
        sayIn(talk, { from: person, place: placeOf(delivery), via: 'user', content: text });
        return deliver(delivery);
      },
    };
  }

  function user(full_name: string, { role = 'member' }: NewChatUser = {}): ChatUser {
    const id = (talk.people.length + 2) as UserId;
    const person: ChatPerson = { id, email: `user${id}@chat.test`, full_name, role };
    talk.people.push(person);
    const direct = (others: readonly ChatUser[]): Voice => {
      const ids = new Set([id, ...others.map((other) => other.id)]);
      const recipients = [...talk.people.filter((one) => ids.has(one.id)), me];
      return voice(person, (content) => ({ content, recipients }));
    };
    return {
      id,
      name: full_name,
      ...direct([]),
      withOthers: (...others) => direct(others),
      inChannel(channel, topic) {
        if (!channels.includes(channel)) channels.push(channel);
        const place = { id: (channels.indexOf(channel) + 1) as ChannelId, name: channel };
        return voice(person, (text) => ({
          content: `@**${name}** ${text}`,
          channel: place,
          topic,
        }));
      },
    };
  }

  return {
    clock,
    user,
    transcript: () => talk.said.map(({ from, text }) => `${from.full_name}: ${text}`),
    said: talk.said,
    last: () => talk.said.at(-1),
    uploads: talk.uploads,
    isTyping: () => talk.typing,
    async advance(ms) {
      await working;
      await clock.advance(ms);
    },
    redeliver() {
      if (lastDelivery === undefined) throw new Error('Nothing was said yet.');
      // The answer was lost: nobody has seen it.
      const at = talk.said.findIndex((one) => one === lastAnswer);
      if (at >= 0) talk.said.splice(at, 1);
      return deliver(lastDelivery);
    },
    reports,
    failures,
    warnings,
  };
}

/** What is said to the bot, and where. */
type Address = { readonly content: string } & (
  | Pick<DirectMessage, 'recipients'>
  | Pick<ChannelMessage, 'channel' | 'topic'>
);
