import type { PostResult } from '@bellhop/bot-probe/webhooks';
import { interpretAnswer, parseRetryAfter } from '@bellhop/protocol';

/** What follows from one attempt at a webhook. */
export type Verdict =
  | { readonly kind: 'reply'; readonly content: string; readonly widget_content?: string }
  | { readonly kind: 'silence' }
  /** It will not help to ask again. `excerpt` is the endpoint's own words, for the owner. */
  | {
      readonly kind: 'failure';
      readonly reason: string;
      readonly excerpt: string;
      /** The owner cannot do anything about it. */
      readonly isForSender?: boolean;
    }
  /** It may help to ask again. */
  | {
      readonly kind: 'unavailable';
      readonly reason: string;
      readonly excerpt: string;
      /** Said by an endpoint that answered and wants a little patience. */
      readonly afterSeconds?: number;
    };

/** A receiver that wants more patience than this, in seconds, has failed. */
const PATIENCE = 60;

export function judgeAnswer(answer: PostResult, how: { readonly isSlack: boolean }): Verdict {
  if (answer.kind === 'too_large')
    return { kind: 'failure', reason: 'The answer of the endpoint is too long.', excerpt: '' };
  if (answer.kind !== 'response') {
    const reason =
      answer.kind === 'timeout'
        ? 'The endpoint did not answer in time.'
        : 'The endpoint could not be reached or broke off.';
    return { kind: 'unavailable', reason, excerpt: '' };
  }
  const { status, headers, body: excerpt } = answer;
  if (status >= 200 && status < 300) {
    const meant = interpretAnswer(excerpt, how.isSlack ? 2 : 1);
    return meant.kind === 'mistake' ? { kind: 'failure', reason: meant.reason, excerpt } : meant;
  }
  const reason = `The endpoint answered with status ${status}.`;
  const afterSeconds = parseRetryAfter(headers['retry-after'], Date.now()) ?? Infinity;
  return (status === 429 || status === 503) && afterSeconds <= PATIENCE
    ? { kind: 'unavailable', reason, excerpt, afterSeconds }
    : { kind: 'failure', reason, excerpt };
}
