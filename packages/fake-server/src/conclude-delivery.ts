import {
  ApiError,
  badRequest,
  BOT_UNAVAILABLE,
  deliveryFaults,
  FAILURE_MARK,
  type WebhookPayload,
} from '@bellhop/protocol';

import type { Account } from './account.ts';
import { canPost } from './recipients.ts';
import { sendMessage } from './send-message.ts';
import type { StoredMessage } from './stored-message.ts';
import type { WebhookResult } from './webhook-result.ts';
import type { World } from './world.ts';

interface EndedDelivery {
  readonly bot: Account;
  readonly message: StoredMessage;
  readonly trigger: WebhookPayload['trigger'];
  readonly result: WebhookResult;
}

/**
 * Ends a delivery: sends the reply, or a notice about the failure to the conversation and one with
 * details to the owner.
 */
export function concludeDelivery(world: World, ended: EndedDelivery): void {
  const { bot, message, result } = ended;
  message.received.get(bot.user_id)?.add('read');
  switch (result.kind) {
    case 'silence':
      return;
    case 'reply':
      try {
        reply(world, ended, result);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        sendFailureNotices(world, ended, {
          here: deliveryFaults.reply_refused.forConversation({ detail: error.message }),
          excerpt: result.content,
        });
      }
      return;
    case 'failure':
      if (result.isForSender) return reply(world, ended, failureReply(result.reason));
      return sendFailureNotices(world, ended, { here: result.reason, excerpt: result.excerpt });
    case 'unavailable': {
      const here = result.afterSeconds === undefined ? BOT_UNAVAILABLE : result.reason;
      const forOwner = `All attempts failed. ${result.reason}`;
      return sendFailureNotices(world, ended, { here, forOwner, excerpt: result.excerpt });
    }
  }
}

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
  { bot, message, trigger }: EndedDelivery,
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

/** Whether the message is addressed to the bot, so that its sender expects a reply. */
const isAddressed = (trigger: EndedDelivery['trigger']): boolean =>
  trigger === 'mention' || trigger === 'direct_message';

const failureReply = (reason: string): Reply => ({ content: FAILURE_MARK + reason });

interface FailureNotices {
  /** The notice in the conversation; contains no text of the endpoint. */
  readonly here: string;
  /** The notice to the owner; the default is `here`. */
  readonly forOwner?: string;
  /** The text of the endpoint, for the owner. */
  readonly excerpt: string;
}

function sendFailureNotices(
  world: World,
  ended: EndedDelivery,
  { here, forOwner = here, excerpt }: FailureNotices,
): void {
  const { bot, message, trigger } = ended;
  if (isAddressed(trigger)) reply(world, ended, failureReply(here));
  if (!bot.bot) return;
  const about = `The delivery of [a message](${linkTo(world, message)}) to @_**${bot.full_name}|${bot.user_id}** failed.`;
  const text = quotable(excerpt).replaceAll(bot.bot.token, '[redacted]');
  sendMessage(world, {
    sender: bot,
    conversation: { participants: [bot, bot.bot.owner] },
    content: `${about} ${forOwner}${text === '' ? '' : `\n\n~~~~\n${text}\n~~~~`}`,
    client: 'Internal',
    read_by_sender: true,
  });
}

/** The first 2000 characters of a text, without control characters. */
const quotable = (text: string) =>
  text
    .replace(/[^\P{Cc}\n\t]/gu, '\u{fffd}')
    .slice(0, 2000)
    .toWellFormed()
    .trim();

const linkTo = ({ url }: World, { id, conversation }: StoredMessage) =>
  'channel' in conversation
    ? `${url}/#narrow/channel/${conversation.channel.stream_id}/topic/${encodeURIComponent(conversation.topic)}/near/${id}`
    : `${url}/#narrow/dm/${conversation.participants.map(({ user_id }) => user_id).join(',')}/near/${id}`;
