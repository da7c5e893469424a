import type { AnyBot, BotOptions } from '@bellhop/bot';
import type { Failure } from '@bellhop/bot/hooks';
import type { ChatMessage } from '@bellhop/bot/internals';
import { ReceivedWebhook } from '@bellhop/protocol';

import { UserError } from '../../command-line/user-error.ts';
import type { FrameworkInternals } from '../bot-module.ts';

/** The result of a delivery. */
export interface ReplayResult {
  /** The JSON text that answers the webhook. */
  readonly answer: string;
  /** The messages of the conversation, the message of the payload first. */
  readonly said: readonly ChatMessage[];
  readonly uploads: readonly File[];
  readonly failures: readonly Failure[];
}

/**
 * Delivers the payload of a webhook, with or without its token, to a bot whose REST calls stay in
 * memory. Throws a UserError that names each wrong field if it is not the payload of a webhook.
 */
export async function replay(
  internals: FrameworkInternals,
  makeBot: (options: BotOptions) => AnyBot,
  payload: unknown,
): Promise<ReplayResult> {
  const {
    chatRest,
    DeliveryDispatcher,
    conversationOf,
    replyBody,
    restReplySender,
    addMessage,
    chatFollowUps,
    newRoom,
    withInternals,
  } = internals;
  const { token, delivery } = received(internals, payload);
  const { message } = delivery;
  const me = {
    id: 0 as ChatMessage['sender']['id'],
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
  const talk = newRoom(me, { people });
  const rest = chatRest(talk);
  const conversation = conversationOf(delivery);
  const { id, content, sender } = message;
  talk.messages.push({
    id,
    sender,
    destination: conversation,
    via: 'user',
    content,
    timestamp: message.timestamp,
    edits: [],
    reactions: [],
  });

  const made = makeBot({ email: delivery.botEmail, token });
  const replySender = { ...restReplySender(rest, made.email), hasSent: async () => false };
  const bot = withInternals(made, {
    rest,
    replySender,
    followUps: chatFollowUps(talk, { now: Date.now }),
    store: undefined,
  });
  const failures: Failure[] = [];
  const hooks = { onError: (failure: Failure) => void failures.push(failure) };
  const dispatcher = new DeliveryDispatcher(bot, { hooks, deadlineMs: 8000 });
  const reply = await dispatcher.accept(delivery);
  if (reply) addMessage(talk, { sender: me, destination: conversation, via: 'response', ...reply });
  await dispatcher.ended(delivery);
  return { answer: replyBody(reply), said: talk.messages, uploads: talk.uploads, failures };
}

function received({ readDelivery }: FrameworkInternals, payload: unknown) {
  const body =
    typeof payload === 'object' && payload !== null ? { token: 'recorded', ...payload } : payload;
  const found = readDelivery(body);
  if (found !== undefined) return found;
  const { error } = ReceivedWebhook.safeParse(body);
  const issues = error?.issues ?? [
    { path: ['message'], message: 'the trigger and the place of the message do not agree' },
  ];
  const lines = issues.map(({ path, message }) => `  ${path.join('.') || 'the whole'}: ${message}`);
  throw new UserError(`This is not the payload of an outgoing webhook.\n${lines.join('\n')}`);
}
