import type { DeliveryReply } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { LoadedDelivery } from '../../model/bots/load-delivery.ts';
import { recordFailure, recordSuccess } from '../../model/bots/webhook-health.ts';
import type { WebhookResult } from '../../model/bots/webhook-result.ts';
import { flagBits } from '../../model/messages/read/flags.ts';
import { addFlags } from '../../model/messages/read/recipient-flags.ts';
import { messageOwner, replyAsBot, sendFailureNotice } from './send-as-bot.ts';

interface EndedAttempt {
  readonly delivery: LoadedDelivery;
  readonly result: WebhookResult;
  /** UNIX time in seconds. */
  readonly now: number;
}

/** Records the success or failure of the endpoint; a failure may disable the webhook. */
export async function concludeAttempt(change: Change, { delivery, result, now }: EndedAttempt) {
  const { id, base_url, disabled_at } = delivery.service;
  const which = { realm_id: delivery.realm.id, id, base_url, now };
  if (result.kind === 'silence' || result.kind === 'reply' || !result.isBroken) {
    const hasAnswered = result.kind === 'silence' || result.kind === 'reply';
    if (hasAnswered) recordSuccess(change.db, which);
    if (hasAnswered && disabled_at !== null) emitEndpoint(change, delivery, null);
    return;
  }
  const isGone = result.kind === 'failure' && result.isGone === true;
  if (!(await recordFailure(change.db, which, isGone))) return;
  const why = isGone ? 'because it says that it is gone' : 'after a day of nothing but failures';
  const content = `The webhook of the bot is disabled ${why}. The server tries it once in a half hour and enables it when it answers.`;
  await messageOwner(change, { delivery, now, content });
  emitEndpoint(change, delivery, `Disabled ${why}.`);
}

/** Tells consoles that the endpoint is disabled for this reason, or works again. */
const emitEndpoint = ({ emit }: Change, delivery: LoadedDelivery, reason: string | null): void => {
  const { bot, service } = delivery;
  const state = reason === null ? ('working' as const) : ('disabled' as const);
  const endpoint = { payload_url: service.base_url, state, reason };
  emit({ type: 'bot_endpoint', bot_id: bot.id, endpoint }, service.watchers?.ids ?? []);
};

/**
 * Ends a delivery: sends the reply, or a notice about the failure to the conversation and one with
 * details to the owner. Runs in the transaction that ends the job, so that no reply is sent twice.
 */
export async function concludeDelivery(
  change: Change,
  ended: EndedAttempt,
): Promise<DeliveryReply> {
  const { delivery, result, now } = ended;
  await concludeAttempt(change, ended);
  const replied = result.kind === 'reply' ? await reply(change, { ...ended, result }) : undefined;
  if (result.kind === 'failure') {
    await sendFailureNotice(change, { delivery, now, content: result.reason });
    await messageOwner(change, {
      delivery,
      now,
      content: result.reason,
      answer: result.excerpt ?? '',
    });
  }
  if (result.kind === 'unavailable') {
    const isStatus = result.afterSeconds !== undefined;
    const here = isStatus ? result.reason : 'The bot is unavailable.';
    await sendFailureNotice(change, { delivery, now, content: here });
    const content = `All attempts failed. ${result.reason}`;
    await messageOwner(change, { delivery, now, content, answer: result.excerpt ?? '' });
  }
  markRead(change, delivery);
  return replied ?? { ...noReply, outcome: result.kind === 'silence' ? 'silent' : 'none' };
}

export const noReply = { outcome: 'none', message_id: null, reason: null } as const;

/** Marks the delivered message as read by the bot. */
export const markRead = ({ db }: Change, { bot, message }: LoadedDelivery): void =>
  addFlags(db, bot, message.id, flagBits.read);

interface Reply extends EndedAttempt {
  readonly result: Extract<WebhookResult, { kind: 'reply' }>;
}

async function reply(change: Change, { delivery, result, now }: Reply): Promise<DeliveryReply> {
  const { content, widget_content } = result;
  const sent = await replyAsBot(change, { delivery, now, content, widget_content });
  if (sent.outcome === 'refused') {
    const notice = `The bot's reply was refused: ${sent.reason}`;
    await sendFailureNotice(change, { delivery, now, content: notice });
    await messageOwner(change, { delivery, now, content: notice, answer: result.excerpt });
  }
  return sent;
}
