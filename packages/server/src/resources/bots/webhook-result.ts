import { OutboundError, type OutboundResponse } from '@bellhop/http/outbound';
import { interpretAnswer, parseRetryAfter } from '@bellhop/protocol';

/** The result of one call of a webhook. */
export type WebhookResult =
  | { readonly kind: 'silence' }
  | {
      readonly kind: 'reply';
      readonly content: string;
      readonly widget_content?: string;
      readonly excerpt: string;
    }
  /** Another attempt would fail as well. */
  | {
      readonly kind: 'failure';
      /** A sentence for all readers of the conversation, without any text of the endpoint. */
      readonly reason: string;
      /** The text of the endpoint, for the owner. */
      readonly excerpt?: string;
      /** Whether the failure counts towards disabling the webhook; a 2xx response never does. */
      readonly isBroken: boolean;
      readonly isGone?: boolean;
    }
  /** A later attempt may succeed. */
  | {
      readonly kind: 'unavailable';
      readonly reason: string;
      readonly excerpt?: string;
      readonly afterSeconds?: number;
      readonly isBroken: boolean;
    };

interface CallContext {
  readonly interfaceType: number;
  readonly token: string;
  /** UNIX time in seconds. */
  readonly now: number;
}

/** A longer Retry-After counts as a failure: the reply would come too late. */
const MAX_RETRY_AFTER_SECONDS = 60;

/** The result of a complete response. */
export function resultOfResponse(response: OutboundResponse, context: CallContext): WebhookResult {
  const { status, headers, location, body } = response;
  const excerpt = redact(body, [context.token]);
  if (status >= 200 && status < 300) {
    const answer = interpretAnswer(body.toString('utf8'), context.interfaceType);
    if (answer.kind === 'reply') return { ...answer, excerpt };
    if (answer.kind === 'silence') return answer;
    return { kind: 'failure', reason: answer.reason, excerpt, isBroken: false };
  }
  const reason = `The endpoint answered with status ${status}${explained(status)}`;
  const wait = parseRetryAfter(headers['retry-after'], context.now * 1000);
  const asksToRetry = status === 429 || status === 503;
  if (asksToRetry && wait !== undefined && wait <= MAX_RETRY_AFTER_SECONDS)
    return { kind: 'unavailable', reason, excerpt, afterSeconds: wait, isBroken: true };
  return {
    kind: 'failure',
    reason,
    excerpt: location === undefined ? excerpt : `Location: ${location}\n${excerpt}`,
    isBroken: true,
    isGone: status === 410,
  };
}

function explained(status: number): string {
  if (status >= 300 && status < 400) return ': redirects are not followed.';
  if (status === 407) return ': a proxy on the way refuses this address.';
  if (status === 410) return ': it is gone for good.';
  return '.';
}

/** The result of a call without a complete response. */
export function resultOfError(error: unknown, context: CallContext): WebhookResult {
  if (!(error instanceof OutboundError)) {
    const name = error instanceof Error ? error.name : 'Error';
    return {
      kind: 'failure',
      reason: `The request could not be made (${name}).`,
      isBroken: false,
    };
  }
  const { failure, safeMessage: reason, response } = error;
  switch (failure) {
    case 'timeout':
    case 'connection':
      return { kind: 'unavailable', reason, isBroken: true };
    case 'dns':
    case 'canceled':
      return { kind: 'unavailable', reason, isBroken: false };
    case 'blocked':
      return { kind: 'failure', reason, isBroken: true };
    case 'too_large': {
      if (response && (response.status < 200 || response.status > 299))
        return resultOfResponse(response, context);
      const excerpt = response && redact(response.body, [context.token]);
      return { kind: 'failure', reason, isBroken: false, ...(excerpt ? { excerpt } : {}) };
    }
  }
}

const MAX_KEPT_CHARACTERS = 16_384;

/** The first 16,384 characters of a response body without secrets, fit to be stored and shown. */
export function redact(body: Buffer, secrets: readonly string[]): string {
  let text = body.toString('utf8');
  for (const secret of secrets) text = text.replaceAll(secret, '[redacted]');
  // PostgreSQL's JSON takes no lone surrogates, and control characters must not reach a terminal.
  return text
    .slice(0, MAX_KEPT_CHARACTERS)
    .toWellFormed()
    .replace(/[^\P{Cc}\n\t]/gu, '\u{fffd}');
}
