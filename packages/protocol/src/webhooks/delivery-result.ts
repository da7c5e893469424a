import { parseRetryAfter } from '../wire/parse-retry-after.ts';
import type { DeliveryFault } from './bot-deliveries/bot-delivery.ts';
import { deliveryFaults, type FaultFacts } from './delivery-faults.ts';
import type { Interpretation } from './interpret-answer.ts';

/** What one call of a webhook comes to. */
export type DeliveryResult =
  | { readonly kind: 'silence' }
  | {
      readonly kind: 'reply';
      readonly content: string;
      readonly widget_content?: string;
      /** The text of the endpoint, for the owner. */
      readonly excerpt: string;
    }
  | FailedCall;

/** Why there is neither; `deliveryFaults` has what follows from it. */
export interface FailedCall {
  readonly kind: 'fault';
  readonly fault: DeliveryFault;
  /** Whether a later attempt may succeed. */
  readonly again: boolean;
  /** A sentence for all readers of the conversation, without any text of the endpoint. */
  readonly reason: string;
  /** The text of the endpoint, for the owner. */
  readonly excerpt?: string;
  /** The wait for which the endpoint asks, in seconds. */
  readonly afterSeconds?: number;
  readonly isGone?: boolean;
}

/** A longer Retry-After counts as a failure: the reply would come too late. */
const MAX_RETRY_AFTER_SECONDS = 60;

/** A fault with what `deliveryFaults` says of it. */
export function failedCall(
  fault: DeliveryFault,
  facts: FaultFacts = {},
  found: Pick<FailedCall, 'excerpt' | 'afterSeconds' | 'isGone'> = {},
): FailedCall {
  const { retries, forConversation } = deliveryFaults[fault];
  const again = retries === 'if asked' ? found.afterSeconds !== undefined : retries;
  return { kind: 'fault', fault, again, reason: forConversation(facts), ...found };
}

/** Whether the body of a response with this status is the answer of the bot. */
export const isSuccessStatus = (status: number): boolean => status >= 200 && status <= 299;

/** A complete response of an endpoint. */
export interface EndpointResponse {
  readonly status: number;
  readonly headers: { readonly 'retry-after'?: string | undefined };
  /** The target of a redirect. */
  readonly location?: string | undefined;
  /** Its text, for the owner. */
  readonly excerpt: string;
  /** The meaning of the body of a 2xx response (`readAnswer`). */
  readonly answer?: Interpretation | undefined;
}

/** The result of a call with a complete response. `nowMs` is milliseconds since 1970. */
export function resultOfResponse(response: EndpointResponse, nowMs: number): DeliveryResult {
  const { status, headers, location, excerpt, answer } = response;
  if (answer?.kind === 'reply') return { ...answer, excerpt };
  if (answer?.kind === 'silence') return answer;
  if (answer) return failedCall(answer.fault, answer, { excerpt });
  const wait = parseRetryAfter(headers['retry-after'], nowMs);
  const asksToRetry = status === 429 || status === 503;
  return failedCall(
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
