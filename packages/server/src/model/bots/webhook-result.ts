import type { IncomingHttpHeaders } from 'node:http';

import { OutboundError, type OutboundResponse } from '@bellhop/http/outbound';
import {
  decodeText,
  type DeliveryFault,
  type Interpretation,
  parseRetryAfter,
} from '@bellhop/protocol';

/** The result of one call of a webhook. */
export type WebhookResult =
  | { readonly kind: 'silence' }
  | {
      readonly kind: 'reply';
      readonly content: string;
      readonly widget_content?: string;
      readonly excerpt: string;
    }
  /** Another attempt would fail too. */
  | {
      readonly kind: 'failure';
      readonly fault: DeliveryFault;
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
      readonly fault: DeliveryFault;
      readonly reason: string;
      readonly excerpt?: string;
      readonly afterSeconds?: number;
      readonly isBroken: boolean;
    };

interface CallContext {
  readonly token: string;
  /** UNIX time in seconds. */
  readonly now: number;
}

/** A longer Retry-After counts as a failure: the reply would come too late. */
const MAX_RETRY_AFTER_SECONDS = 60;

/** The text of a response in the charset that it declares. */
export const textOf = ({ body, headers }: OutboundResponse) =>
  decodeText(body, [headers['content-type']].flat()[0]);

/** The result of a 2xx response whose text is not what it declares; `words` go on after "the answer". */
export const resultOfBadText = (words: string): WebhookResult => ({
  kind: 'failure',
  fault: 'bad_charset',
  reason: 'The answer of the endpoint cannot be read.',
  excerpt: `the answer ${words}`,
  isBroken: false,
});

/** The result of a complete response; `answer` is the meaning of the body of a 2xx response. */
export function resultOfResponse(
  response: OutboundResponse,
  context: CallContext,
  answer?: Interpretation,
): WebhookResult {
  const { status, headers, location } = response;
  const excerpt = redact(textOf(response).text, [context.token]);
  if (answer) {
    if (answer.kind === 'reply') return { ...answer, excerpt };
    if (answer.kind === 'silence') return answer;
    const { fault, reason } = answer;
    return { kind: 'failure', fault, reason, excerpt, isBroken: false };
  }
  const reason = `The endpoint answered with status ${status}${explained(status)}`;
  const wait = parseRetryAfter(headers['retry-after'], context.now * 1000);
  const asksToRetry = status === 429 || status === 503;
  if (asksToRetry && wait !== undefined && wait <= MAX_RETRY_AFTER_SECONDS)
    return {
      kind: 'unavailable',
      fault: 'status',
      reason,
      excerpt,
      afterSeconds: wait,
      isBroken: true,
    };
  return {
    kind: 'failure',
    fault: status >= 300 && status < 400 ? 'redirect' : 'status',
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
      fault: 'internal',
      reason: `The request could not be made (${name}).`,
      isBroken: false,
    };
  }
  const { failure, safeMessage: reason, response } = error;
  switch (failure) {
    case 'timeout':
      return { kind: 'unavailable', fault: 'timeout', reason, isBroken: true };
    case 'connection':
      return { kind: 'unavailable', fault: error.fault ?? 'closed', reason, isBroken: true };
    case 'dns':
      return { kind: 'unavailable', fault: 'dns', reason, isBroken: false };
    case 'canceled':
      return { kind: 'unavailable', fault: 'internal', reason, isBroken: false };
    case 'blocked':
      return { kind: 'failure', fault: 'address_forbidden', reason, isBroken: true };
    case 'unreadable': {
      if (response && !isSuccess(response)) return resultOfResponse(response, context);
      const { fault = 'bad_http', answer = '' } = error;
      const excerpt = `the answer ${answer}`;
      return { kind: 'failure', fault, reason, excerpt, isBroken: response === undefined };
    }
    case 'too_large': {
      if (response && !isSuccess(response)) return resultOfResponse(response, context);
      const excerpt = response && redact(textOf(response).text, [context.token]);
      return {
        kind: 'failure',
        fault: 'too_large',
        reason,
        isBroken: false,
        ...(excerpt ? { excerpt } : {}),
      };
    }
  }
}

export const isSuccess = ({ status }: Pick<OutboundResponse, 'status'>): boolean =>
  status >= 200 && status <= 299;

const MAX_EXCERPT = 16_384;
export const MASK = '[redacted]';

/** The first 16,384 characters of a text, or `most`, without secrets, fit to be stored and shown. */
export function redact(body: string, secrets: readonly string[], most = MAX_EXCERPT): string {
  let text = body;
  for (const secret of secrets) text = text.replaceAll(secret, MASK);
  // PostgreSQL's JSON takes no lone surrogates, and control characters must not reach a terminal.
  return text
    .slice(0, most)
    .replaceAll('\r\n', '\n')
    .toWellFormed()
    .replace(/[^\P{Cc}\n\t]/gu, '\u{fffd}');
}

/** Headers whose values are secrets: with a signature, a reader could send the payload again. */
const SECRET =
  /^(authorization|cookie|proxy-authorization|set-cookie|webhook-signature|x-api-key)$/;

/** Headers to be stored and shown: without secrets and control characters. */
export const maskedHeaders = (
  headers: IncomingHttpHeaders,
  token: string,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return [];
      if (SECRET.test(name)) return [[name, MASK]];
      return [[name, redact(String(value), [token])]];
    }),
  );
