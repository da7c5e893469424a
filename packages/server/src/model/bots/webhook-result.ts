import type { IncomingHttpHeaders } from 'node:http';

import { OutboundError, type OutboundResponse } from '@bellhop/http/outbound';
import {
  decodeText,
  type DeliveryFault,
  deliveryFaults,
  type FaultFacts,
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
  | WebhookFault;

/** Why there is neither; `deliveryFaults` has what follows from it. */
export interface WebhookFault {
  readonly kind: 'fault';
  readonly fault: DeliveryFault;
  /** Whether a later attempt may succeed. */
  readonly again: boolean;
  /** A sentence for all readers of the conversation, without any text of the endpoint. */
  readonly reason: string;
  /** The text of the endpoint, for the owner. */
  readonly excerpt?: string;
  /** The wait for which the endpoint asks. */
  readonly afterSeconds?: number;
  readonly isGone?: boolean;
}

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

/** A fault with what `deliveryFaults` says of it. */
export function webhookFault(
  fault: DeliveryFault,
  facts: FaultFacts = {},
  found: Pick<WebhookFault, 'excerpt' | 'afterSeconds' | 'isGone'> = {},
): WebhookFault {
  const { retries, forConversation } = deliveryFaults[fault];
  const again = retries === 'if asked' ? found.afterSeconds !== undefined : retries;
  return { kind: 'fault', fault, again, reason: forConversation(facts), ...found };
}

/** The result of a 2xx response whose text is not what it declares; `words` go on after "the answer". */
export const resultOfBadText = (words: string): WebhookResult =>
  webhookFault('bad_charset', {}, { excerpt: `the answer ${words}` });

/** The result of a complete response; `answer` is the meaning of the body of a 2xx response. */
export function resultOfResponse(
  response: OutboundResponse,
  context: CallContext,
  answer?: Interpretation,
): WebhookResult {
  const { status, headers, location } = response;
  const excerpt = redact(textOf(response).text, [context.token]);
  if (answer?.kind === 'reply') return { ...answer, excerpt };
  if (answer?.kind === 'silence') return answer;
  if (answer) return webhookFault(answer.fault, answer, { excerpt });
  const wait = parseRetryAfter(headers['retry-after'], context.now * 1000);
  const asksToRetry = status === 429 || status === 503;
  return webhookFault(
    status >= 300 && status < 400 ? 'redirect' : 'status',
    { status },
    {
      excerpt: location === undefined ? excerpt : `Location: ${location}\n${excerpt}`,
      ...(asksToRetry &&
        wait !== undefined &&
        wait <= MAX_RETRY_AFTER_SECONDS && { afterSeconds: wait }),
      isGone: status === 410,
    },
  );
}

/** The result of a call without a complete response. Throws if the caller canceled it. */
export function resultOfError(error: unknown, context: CallContext): WebhookResult {
  if (!(error instanceof OutboundError))
    return webhookFault('internal', { code: error instanceof Error ? error.name : 'Error' });
  const { fault, detail, safeMessage: sentence, response } = error;
  if (fault === 'canceled') throw error;
  if (response && !isSuccess(response)) return resultOfResponse(response, context);
  const excerpt =
    detail === undefined
      ? response && redact(textOf(response).text, [context.token])
      : `the answer ${detail}`;
  return webhookFault(fault, { sentence }, excerpt ? { excerpt } : {});
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
