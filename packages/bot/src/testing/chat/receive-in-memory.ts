import type { BotOptions } from '../../bot-options.ts';
import type { Received } from '../../delivery.ts';
import type { Failure } from '../../hooks.ts';
import type { AnyBot } from '../../internals.ts';
import { conversationOf } from '../../rest/conversation.ts';
import { replyBody } from '../../rest/reply.ts';
import { restReplySender } from '../../rest/rest-reply-sender.ts';
import { Runtime } from '../../runtime.ts';
import { chatFollowUps } from './chat-follow-ups.ts';
import { chatRest } from './chat-rest.ts';
import { addMessage, type ChatMessage, newRoom } from './chat-room.ts';

/** The result of a delivery. */
export interface ReceivedInMemory {
  /** The JSON text that answers the webhook. */
  readonly answer: string;
  /** The messages of the conversation, the message of the delivery first. */
  readonly said: readonly ChatMessage[];
  readonly uploads: readonly File[];
  readonly failures: readonly Failure[];
}

/** Hands a delivery to the bot that it is for, whose REST calls stay in memory. */
export async function receiveInMemory(
  makeBot: (options: BotOptions) => AnyBot,
  { token, delivery }: Received,
): Promise<ReceivedInMemory> {
  const { message } = delivery;
  const me = {
    id: delivery.botUserId ?? (0 as ChatMessage['sender']['id']),
    email: delivery.botEmail,
    fullName: delivery.botFullName,
  };
  const recipients = 'recipients' in message ? message.recipients : [];
  const bystanders = recipients.filter(
    ({ id, email }) => id !== message.sender.id && email !== me.email,
  );
  const people = [message.sender, ...bystanders].map((one) => ({
    ...one,
    role: 'member' as const,
  }));
  const room = newRoom(me, { people });
  const rest = chatRest(room);
  const conversation = conversationOf(delivery);
  const { id, content, sender } = message;
  room.messages.push({
    id,
    sender,
    destination: conversation,
    via: 'user',
    content,
    timestamp: message.timestamp,
    edits: [],
    reactions: [],
  });

  const bot = makeBot({ email: delivery.botEmail, token });
  const followUps = chatFollowUps(room, { now: Date.now });
  const failures: Failure[] = [];
  const hooks = { onError: (failure: Failure) => void failures.push(failure) };
  const { dispatcher } = new Runtime(bot, {
    hooks,
    deadlineMs: 8000,
    place: 'test',
    instead: {
      rest,
      replySender: restReplySender(rest),
      followUps: () => followUps,
      store: undefined,
    },
  });
  const reply = await dispatcher.accept(delivery);
  if (reply) addMessage(room, { sender: me, destination: conversation, via: 'response', ...reply });
  await dispatcher.ended(delivery);
  return { answer: replyBody(reply), said: room.messages, uploads: room.uploads, failures };
}
