import {
  type DeliveryFault,
  deliveryFaults,
  type DeliveryReply,
  type DeliveryResult,
  type FaultFacts,
} from '@bellhop/protocol';

import type { AttemptRecord } from '../../model/bot-deliveries/attempt-record.ts';
import type { DeliveryEnd, DeliverySubject } from '../../model/bot-deliveries/delivery-rows.ts';
import { noReply } from './conclude-delivery.ts';

interface Attempted {
  readonly subject: DeliverySubject;
  readonly result: DeliveryResult;
  /** Undefined if the server lost the attempt. */
  readonly record: AttemptRecord | undefined;
}
/** The end of a delivery whose last attempt has this result. */
export function finalEnd(
  { subject, result, record }: Attempted,
  reply: DeliveryReply,
): DeliveryEnd {
  const isRefused = reply.outcome === 'refused';
  const ofAnswer = record?.answer?.fault ?? null;
  const ofResult = result.kind === 'fault' ? result.fault : null;
  const fault = ofResult ?? (isRefused ? 'reply_refused' : ofAnswer);
  const facts = isRefused ? { detail: reply.reason ?? '' } : (record?.facts ?? {});
  const location = fault === 'redirect' ? record?.response?.headers['location'] : undefined;
  // Of the answer a verdict contains only the status: administrators read it too.
  const verdictWith = (more: FaultFacts) =>
    fault ? deliveryFaults[fault].forAuthor({ ...facts, ...more }) : (record?.answer?.words ?? '');
  const answered = ofAnswer === 'bot_error' ? 'bot_error' : 'delivered';
  return {
    subject,
    record,
    reply,
    status: ofResult === null && !isRefused ? answered : 'failed',
    error_code: fault,
    verdict: verdictWith({}),
    owner_verdict: location === undefined ? null : verdictWith({ location }),
    delay_ms: null,
  };
}

/** The end of an attempt after which there is another. */
export function retryEnd(attempted: Attempted, next: NextAttempt): DeliveryEnd {
  const end = finalEnd(attempted, noReply);
  const verdict = `${end.verdict}; retry ${next.retry} of ${next.retries}`;
  return { ...end, status: 'retrying', verdict, delay_ms: next.delayMs };
}

/** The end of a delivery that is not sent. */
export const dropped = (fault: DeliveryFault): Omit<DeliveryEnd, 'subject'> => ({
  status: 'dropped',
  verdict: deliveryFaults[fault].forAuthor({}),
  owner_verdict: null,
  error_code: fault,
  reply: noReply,
  delay_ms: null,
  record: undefined,
});

interface NextAttempt {
  /** Counts retries from 1. */
  readonly retry: number;
  readonly retries: number;
  readonly delayMs: number;
}
