import {
  type DeliveryReply,
  directUrl,
  isAddressed,
  type MessageId,
  narrowUrl,
  ownerNotice,
} from '@bellhop/protocol';

import { ApiError } from '../../engine/api-error.ts';
import type { Change } from '../../engine/call.ts';
import type { LoadedDelivery } from '../../model/bots/load-delivery.ts';
import { postableChannel } from '../../model/channels/postable-channel.ts';
import type { Destination } from '../../model/messages/message.ts';
import { participantsOf } from '../../model/messages/send/recipients.ts';
import * as users from '../../model/users/queries.ts';
import { sendDirectMessage, sendMessage } from '../messages/send/send-message.ts';

export interface BotMessage {
  readonly delivery: LoadedDelivery;
  /** UNIX time in seconds. */
  readonly now: number;
  readonly content: string;
  /** The widget to start, as JSON text that has been checked. */
  readonly widget_content?: string | undefined;
}

/**
 * Replies as the bot in the conversation of the delivered message. A mentioned bot may reply even
 * if it may not post there; for other messages its permission to post is checked. A reply that is
 * not acceptable, to an archived channel or to a deactivated user, is not an error but refused with a
 * reason. A deactivated bot does not reply.
 */
export async function replyAsBot(
  change: Change<'message' | 'stream' | 'attachment' | 'user_topic'>,
  reply: BotMessage,
): Promise<DeliveryReply> {
  if (!reply.delivery.bot.is_active) return { outcome: 'withheld', message_id: null, reason: null };
  try {
    return { outcome: 'sent', message_id: await send(change, reply), reason: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { outcome: 'refused', message_id: null, reason: error.message };
  }
}

async function send(
  change: Change<'message' | 'stream' | 'attachment' | 'user_topic'>,
  { delivery, now, content, widget_content }: BotMessage,
): Promise<MessageId> {
  const { realm, bot, conversation } = delivery;
  const sendTo = (to: Destination) =>
    sendMessage(
      change,
      {
        realm,
        sender: bot,
        client: 'OutgoingWebhookResponse',
        now,
        to,
        content,
        widget_content,
        read_by_sender: true,
      },
      { attachments: change, topics: change },
    );
  if (!('channel' in conversation)) {
    const known = new Map(conversation.participants.map((user) => [user.id, user]));
    const to = { ids: [...known.keys()], known };
    return sendTo({ participants: await participantsOf(change.db, { realm, sender: bot }, to) });
  }
  const channel = await postableChannel(change.db, bot, { id: conversation.channel.id });
  if (!channel || channel.is_archived)
    throw new ApiError('BAD_REQUEST', { message: 'The channel is archived.' });
  if (!isAddressed(delivery.trigger) && !channel.may_post)
    throw new ApiError('BAD_REQUEST', { message: 'The bot may not post in this channel.' });
  return sendTo({ channel, topic: conversation.topic });
}

/**
 * Sends a notice as the bot to the conversation; none if the bot can no longer post there, or if
 * the message was not addressed to it.
 */
export async function sendNotice(
  change: Change<'message' | 'stream' | 'attachment' | 'user_topic'>,
  message: BotMessage,
): Promise<void> {
  if (isAddressed(message.delivery.trigger)) await replyAsBot(change, message);
}

interface Quoted {
  /** What the endpoint answered. */
  readonly answer?: string | undefined;
}

/**
 * Sends the owner a direct message from the bot, if it is active, about a failed delivery. Quotes what
 * the endpoint answered, unless the bot had another owner when the message was sent.
 */
export async function messageOwner(
  change: Change<'message'>,
  { delivery, now, content, answer }: Omit<BotMessage, 'widget_content'> & Quoted,
): Promise<void> {
  const { realm, bot } = delivery;
  const owner =
    bot.bot_owner_id === null ? undefined : await users.byId(change.db, realm.id, bot.bot_owner_id);
  if (!bot.is_active || !owner?.is_active) return;
  await sendDirectMessage(change, {
    realm,
    sender: bot,
    client: 'Internal',
    now,
    to: { participants: [bot, owner] },
    content: ownerNotice({
      bot,
      link: messageLink(delivery),
      text: content,
      excerpt: owner.id === delivery.owner_id ? answer : undefined,
    }),
    read_by_sender: true,
  });
}

/** The address of the delivered message in its conversation. */
function messageLink({ realm, message, conversation }: LoadedDelivery): string {
  if ('channel' in conversation)
    return realm.url + narrowUrl(conversation.channel, conversation.topic, message.id);
  return (
    realm.url +
    directUrl(
      conversation.participants.map(({ id }) => id),
      message.id,
    )
  );
}
