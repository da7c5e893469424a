import type { PostResult } from '@bellhop/bot-probe/webhooks';
import { deliveryFaults, interpretAnswer, parseRetryAfter } from '@bellhop/protocol';

/** The result of one call of a webhook. */
export type WebhookResult =
  | { readonly kind: 'reply'; readonly content: string; readonly widget_content?: string }
  | { readonly kind: 'silence' }
  /** Another attempt would fail too. `excerpt` is the text of the endpoint, for the owner. */
  | {
      readonly kind: 'failure';
      readonly reason: string;
      readonly excerpt: string;
      /** The owner gets no notice, because there is nothing to repair. */
      readonly isForSender?: boolean;
    }
  /** A later attempt may succeed. */
  | {
      readonly kind: 'unavailable';
      readonly reason: string;
      readonly excerpt: string;
      /** From Retry-After; undefined if there was no response. */
      readonly afterSeconds?: number;
    };

/** A longer Retry-After counts as a failure. */
const MAX_RETRY_AFTER_SECONDS = 60;

/** Interprets the result of a request to a webhook. */
export function webhookResult(
  answer: PostResult,
  options: { readonly isSlack: boolean },
): WebhookResult {
  if (answer.kind === 'fault') {
    if (answer.fault === 'canceled')
      return { kind: 'unavailable', reason: answer.reason, excerpt: '' };
    const { retries, forConversation } = deliveryFaults[answer.fault];
    const reason = forConversation({});
    if (retries === true) return { kind: 'unavailable', reason, excerpt: '' };
    const { detail } = answer;
    return { kind: 'failure', reason, excerpt: detail === undefined ? '' : `the answer ${detail}` };
  }
  const { status, headers, body: excerpt } = answer;
  if (status >= 200 && status < 300) {
    const read = interpretAnswer(excerpt, options.isSlack ? 2 : 1);
    return read.kind === 'mistake'
      ? { kind: 'failure', reason: deliveryFaults[read.fault].forConversation(read), excerpt }
      : read;
  }
  const fault = status >= 300 && status < 400 ? 'redirect' : 'status';
  const reason = deliveryFaults[fault].forConversation({ status });
  const afterSeconds = parseRetryAfter(headers['retry-after'], Date.now()) ?? Infinity;
  return (status === 429 || status === 503) && afterSeconds <= MAX_RETRY_AFTER_SECONDS
    ? { kind: 'unavailable', reason, excerpt, afterSeconds }
    : { kind: 'failure', reason, excerpt };
}
