import { ReceivedWebhook } from '@bellhop/protocol';

import { BotError } from '../bot-error.ts';
import type { BotOptions } from '../bot-options.ts';
import { systemClock } from '../clock.ts';
import { Desk } from '../deliveries/desk.ts';
import { readDelivery } from '../delivery.ts';
import type { Failure } from '../hooks.ts';
import { type AnyBot, inside } from '../inside.ts';
import { replyBody } from '../reply.ts';
import { placeOf } from '../rest/place.ts';
import { restSpeaker } from '../rest/rest-speaker.ts';
import { chatRest } from '../testing/chat/chat-rest.ts';
import { type Said, sayIn, type Talk } from '../testing/chat/talk.ts';

/** What a bot made of a delivery. */
export interface Replayed {
  /** The JSON text that answers the webhook. */
  readonly answer: string;
  /** All that was said: the message itself first. */
  readonly said: readonly Said[];
  readonly uploads: readonly File[];
  readonly failures: readonly Failure[];
}

/**
 * Gives the payload of a webhook, with or without its token, to a bot that speaks in memory only.
 * Throws BotError `config_invalid` that says what is wrong with a payload that is none.
 */
export async function replay(
  makeBot: (options: BotOptions) => AnyBot,
  payload: unknown,
): Promise<Replayed> {
  const { token, delivery } = received(payload);
  const { message } = delivery;
  const me = {
    id: 0 as Said['from']['id'],
    email: delivery.bot_email,
    full_name: delivery.bot_full_name,
  };
  const recipients = 'recipients' in message ? message.recipients : [];
  const bystanders = recipients.filter(
    ({ id, email }) => id !== message.sender.id && email !== me.email,
  );
  const people = [message.sender, ...bystanders].map((one) => ({
    ...one,
    role: 'member' as const,
  }));
  const talk: Talk = { bot: me, people, said: [], uploads: [], typing: false };
  const rest = chatRest(talk);
  const place = placeOf(delivery);
  const { id, content, sender: from } = message;
  talk.said.push({
    id,
    from,
    place,
    via: 'user',
    content,
    text: content,
    edits: [],
    reactions: [],
  });

  const made = makeBot({ email: delivery.bot_email, token, rest });
  const speaker = { ...restSpeaker(rest, made.email), hasSaid: async () => false };
  const bot: AnyBot = {
    email: made.email,
    [inside]: { ...made[inside], clock: systemClock, rest, speaker, store: undefined },
  };
  const failures: Failure[] = [];
  const hooks = { onError: (failure: Failure) => void failures.push(failure) };
  const desk = new Desk(bot, { hooks, deadlineMs: 8000 });
  const reply = await desk.accept(delivery);
  if (reply) sayIn(talk, { from: me, place, via: 'response', ...reply });
  await desk.ended(delivery);
  return { answer: replyBody(reply), said: talk.said, uploads: talk.uploads, failures };
}

function received(payload: unknown) {
  const body =
    typeof payload === 'object' && payload !== null ? { token: 'recorded', ...payload } : payload;
  const found = readDelivery(body);
  if (found !== undefined) return found;
  const { error } = ReceivedWebhook.safeParse(body);
  const issues = error?.issues ?? [
    { path: ['message'], message: 'the trigger and the place of the message do not agree' },
  ];
  const lines = issues.map(({ path, message }) => `  ${path.join('.') || 'the whole'}: ${message}`);
  throw new BotError(
    'config_invalid',
    `This is not what a server sends to an outgoing webhook.\n${lines.join('\n')}`,
  );
}
