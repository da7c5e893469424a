import type { IncomingHttpHeaders } from 'node:http';

import { OutboundError, type OutboundResponse } from '@bellhop/http/outbound';
import {
  decodeText,
  type DeliveryResult,
  failedCall,
  type Interpretation,
  isSuccessStatus,
  MASK,
  redact,
  resultOfResponse,
} from '@bellhop/protocol';

interface CallContext {
  readonly token: string;
  /** UNIX time in seconds. */
  readonly now: number;
}

/** The text of a response in the charset that it declares. */
export const textOf = ({ body, headers }: OutboundResponse) =>
  decodeText(body, [headers['content-type']].flat()[0]);

/** The result of a 2xx response whose text is not what it declares; `words` go on after "the answer". */
export const resultOfBadText = (words: string): DeliveryResult =>
  failedCall('bad_charset', {}, { excerpt: `the answer ${words}` });

/** The result of a complete response; `answer` is the meaning of the body of a 2xx response. */
export const resultOf = (
  response: OutboundResponse,
  { token, now }: CallContext,
  answer?: Interpretation,
): DeliveryResult =>
  resultOfResponse(
    { ...response, excerpt: redact(textOf(response).text, [token]), answer },
    now * 1000,
  );

/** The result of a call without a complete response. Throws if the caller canceled it. */
export function resultOfError(error: unknown, context: CallContext): DeliveryResult {
  if (!(error instanceof OutboundError))
    return failedCall('internal', { code: error instanceof Error ? error.name : 'Error' });
  const { fault, detail, safeMessage: sentence, response } = error;
  if (fault === 'canceled') throw error;
  if (response && !isSuccessStatus(response.status)) return resultOf(response, context);
  const excerpt =
    detail === undefined
      ? response && redact(textOf(response).text, [context.token])
      : `the answer ${detail}`;
  return failedCall(fault, { sentence }, excerpt ? { excerpt } : {});
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
