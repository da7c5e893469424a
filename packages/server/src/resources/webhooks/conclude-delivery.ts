import {
  deliveryFaults,
  type DeliveryReply,
  type DeliveryResult,
  failureNotices,
  type FailureNotices,
  refusedReplyNotices,
} from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { LoadedDelivery } from '../../model/bots/load-delivery.ts';
import { recordFailure, recordSuccess } from '../../model/bots/webhook-health.ts';
import { flagBits } from '../../model/messages/read/flags.ts';
import { addFlags } from '../../model/messages/read/recipient-flags.ts';
import { messageOwner, replyAsBot, sendNotice } from './send-as-bot.ts';

interface EndedAttempt {
  readonly delivery: LoadedDelivery;
  readonly result: DeliveryResult;
  /** UNIX time in seconds. */
  readonly now: number;
}

/** Records the success or failure of the endpoint; a failure may disable the webhook. */
export async function concludeAttempt(change: Change, { delivery, result, now }: EndedAttempt) {
  const { id, base_url, disabled_at } = delivery.service;
  const which = { realm_id: delivery.realm.id, id, base_url, now };
  if (result.kind !== 'fault') {
    recordSuccess(change.db, which);
    if (disabled_at !== null) emitEndpoint(change, delivery, null);
    return;
  }
  if (!deliveryFaults[result.fault].breaks) return;
  const { isGone = false } = result;
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

/** Without a loaded delivery it is a test, whose message nobody has sent. */
interface EndedDelivery extends Omit<EndedAttempt, 'delivery'> {
  readonly delivery: LoadedDelivery | undefined;
}

/** What an end of a delivery does beside recording it. */
interface Effects {
  /** Whether it counts for the health of the endpoint. */
  readonly counts: boolean;
  /** Whether a failure is told in the conversation and to the owner, and the message is marked as read. */
  readonly tells: boolean;
  /** Whether the reply is sent. */
  readonly replies: boolean;
}

/**
 * Ends a delivery: sends the reply, or a notice about the failure to the conversation and one with
 * details to the owner. Runs in the transaction that ends the job, so that no reply is sent twice.
 */
export async function concludeDelivery(
  change: Change,
  { delivery, result, now }: EndedDelivery,
  { counts, tells, replies }: Effects,
): Promise<DeliveryReply> {
  if (delivery && counts) await concludeAttempt(change, { delivery, result, now });
  const reply = await replyOf(change, { delivery, result, now }, { tells, replies });
  if (delivery && tells) markRead(change, delivery);
  return reply;
}

async function replyOf(
  change: Change,
  { delivery, result, now }: EndedDelivery,
  { tells, replies }: Omit<Effects, 'counts'>,
): Promise<DeliveryReply> {
  const nothing = (outcome: DeliveryReply['outcome']) => ({ ...noReply, outcome });
  if (result.kind === 'silence') return nothing('silent');
  if (result.kind === 'fault') {
    if (delivery && tells)
      await tell(change, failureNotices(result), { delivery, now, answer: result.excerpt });
    return nothing('none');
  }
  if (!delivery || !replies) return nothing('withheld');
  const { content, widget_content, excerpt: answer } = result;
  const sent = await replyAsBot(change, { delivery, now, content, widget_content });
  if (sent.outcome === 'refused' && tells) {
    await tell(change, refusedReplyNotices(sent.reason ?? ''), { delivery, now, answer });
  }
  return sent;
}

interface FailedDelivery extends Omit<EndedAttempt, 'result'> {
  /** What the endpoint answered. */
  readonly answer: string | undefined;
}

/** Tells of a failure in the conversation and to the owner. */
async function tell(
  change: Change,
  { here, forOwner }: FailureNotices,
  { delivery, now, answer }: FailedDelivery,
): Promise<void> {
  await sendNotice(change, { delivery, now, content: here });
  await messageOwner(change, { delivery, now, content: forOwner, answer });
}

export const noReply = { outcome: 'none', message_id: null, reason: null } as const;

/** Marks the delivered message as read by the bot. */
export const markRead = ({ db }: Change, { bot, message }: LoadedDelivery): void =>
  addFlags(db, bot, message.id, flagBits.read);
