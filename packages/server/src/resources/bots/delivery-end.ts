import type { DeliveryFault, DeliveryReply } from '@bellhop/protocol';

import type { DeliveryEnd, DeliverySubject } from '../bot-deliveries/delivery-rows.ts';
import { noReply } from './conclude-delivery.ts';
import { type AttemptRecord, inWords, type NextAttempt, verdictOf } from './verdict.ts';
import type { WebhookResult } from './webhook-result.ts';

interface Attempted {
  readonly subject: DeliverySubject;
  readonly result: WebhookResult;
  /** Undefined if the server lost the attempt. */
  readonly record: AttemptRecord | undefined;
}
/** Why a delivery is not sent at all. */
export interface Refusal {
  readonly error_code: DeliveryFault;
  readonly reason: string;
}

/** The end of a delivery whose last attempt has this result. */
export function finalEnd(
  { subject, result, record }: Attempted,
  reply: DeliveryReply,
): DeliveryEnd {
  const isAnswer = result.kind === 'silence' || result.kind === 'reply';
  const isRefused = reply.outcome === 'refused';
  const said = record ? verdictOf(result, record) : 'the server could not finish the delivery';
  const fault = 'fault' in result ? result.fault : isRefused ? 'reply_refused' : null;
  return {
    subject,
    record,
    reply,
    status: isAnswer && !isRefused ? 'delivered' : 'failed',
    error_code: fault,
    verdict: isRefused ? `answered, but the chat refused the reply: ${reply.reason ?? ''}` : said,
    delay_ms: null,
  };
}

/** The end of an attempt after which there is another. */
export function retryEnd(attempted: Attempted, next: NextAttempt): DeliveryEnd {
  const end = finalEnd(attempted, noReply);
  const verdict = `${end.verdict}; ${inWords(next)}`;
  return { ...end, status: 'retrying', verdict, delay_ms: next.delayMs };
}

/** The end of a delivery that is not sent. */
export const dropped = ({ error_code, reason }: Refusal): Omit<DeliveryEnd, 'subject'> => ({
  status: 'dropped',
  verdict: reason,
  error_code,
  reply: noReply,
  delay_ms: null,
  record: undefined,
});
