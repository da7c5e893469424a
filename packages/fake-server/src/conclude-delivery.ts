import {
  ApiError,
  badRequest,
  type DeliveryResult,
  directUrl,
  failureNotices,
  type FailureNotices,
  isAddressed,
  narrowUrl,
  ownerNotice,
  refusedReplyNotices,
  type WebhookPayload,
} from '@bellhop/protocol';

import type { Account } from './account.ts';
import { canPost } from './recipients.ts';
import { sendMessage } from './send-message.ts';
import type { StoredMessage } from './stored-message.ts';
import type { World } from './world.ts';

interface ToldDelivery {
  readonly bot: Account;
  readonly message: StoredMessage;
  readonly trigger: WebhookPayload['trigger'];
}

/**
 * Ends a delivery: sends the reply, or a notice about the failure to the conversation and one with
 * details to the owner.
 */
export function concludeDelivery(
  world: World,
  delivery: ToldDelivery,
  result: DeliveryResult,
): void {
  markRead(delivery);
  if (result.kind === 'silence') return;
  if (result.kind === 'fault') return tell(world, delivery, failureNotices(result), result.excerpt);
  try {
    reply(world, delivery, result);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    tell(world, delivery, refusedReplyNotices(error.message), result.excerpt);
  }
}

/** Marks the delivered message as read by the bot. */
export const markRead = ({ message, bot }: ToldDelivery): void =>
  void message.received.get(bot.user_id)?.add('read');

interface Reply {
  readonly content: string;
  readonly widget_content?: string;
}

/**
 * Sends a reply to the conversation of the message, also if the bot may not post there, unless the
 * message is not addressed to it.
 */
function reply(
  world: World,
  { bot, message, trigger }: ToldDelivery,
  { content, widget_content }: Reply,
): void {
  const { conversation } = message;
  if (!isAddressed(trigger) && 'channel' in conversation && !canPost(conversation.channel, bot))
    throw badRequest('The bot may not post in this channel.');
  sendMessage(world, {
    sender: bot,
    conversation,
    content,
    widget_content,
    client: 'OutgoingWebhookResponse',
    read_by_sender: true,
  });
}

/** Sends a notice as the bot to the conversation; none if the message was not addressed to it. */
export function sendNotice(world: World, delivery: ToldDelivery, content: string): void {
  if (isAddressed(delivery.trigger)) reply(world, delivery, { content });
}

/** Tells of a failure in the conversation and to the owner. */
function tell(
  world: World,
  delivery: ToldDelivery,
  { here, forOwner }: FailureNotices,
  excerpt: string | undefined,
): void {
  const { bot, message } = delivery;
  sendNotice(world, delivery, here);
  if (!bot.bot) return;
  const { user_id: id, full_name } = bot;
  const link = linkTo(world, message);
  sendMessage(world, {
    sender: bot,
    conversation: { participants: [bot, bot.bot.owner] },
    content: ownerNotice({ bot: { id, full_name }, link, text: forOwner, excerpt }),
    client: 'Internal',
    read_by_sender: true,
  });
}

function linkTo({ url }: World, { id, conversation }: StoredMessage): string {
  if (!('channel' in conversation))
    return (
      url +
      directUrl(
        conversation.participants.map(({ user_id }) => user_id),
        id,
      )
    );
  const { stream_id, name } = conversation.channel;
  return url + narrowUrl({ id: stream_id, name }, conversation.topic, id);
}
