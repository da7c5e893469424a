import type { PostResult } from '@bellhop/bot-probe/webhooks';
import { interpretAnswer, parseRetryAfter } from '@bellhop/protocol';

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
  if (answer.kind === 'too_large')
    return { kind: 'failure', reason: 'The answer of the endpoint is too long.', excerpt: '' };
  if (answer.kind === 'unreadable')
    return {
      kind: 'failure',
      reason: 'The answer of the endpoint cannot be read.',
      excerpt: answer.reason,
    };
  if (answer.kind !== 'response') {
    const reason =
      answer.kind === 'timeout'
        ? 'The endpoint did not answer in time.'
        : 'The endpoint could not be reached or broke off.';
    return { kind: 'unavailable', reason, excerpt: '' };
  }
  const { status, headers, body: excerpt } = answer;
  if (status >= 200 && status < 300) {
    const interpreted = interpretAnswer(excerpt, options.isSlack ? 2 : 1);
    return interpreted.kind === 'mistake'
      ? { kind: 'failure', reason: interpreted.reason, excerpt }
      : interpreted;
  }
  const reason = `The endpoint answered with status ${status}.`;
  const afterSeconds = parseRetryAfter(headers['retry-after'], Date.now()) ?? Infinity;
  return (status === 429 || status === 503) && afterSeconds <= MAX_RETRY_AFTER_SECONDS
    ? { kind: 'unavailable', reason, excerpt, afterSeconds }
    : { kind: 'failure', reason, excerpt };
}
