import type { AnyBot } from '../internals.ts';
import type { WebhookResponse } from '../open-delivery.ts';
import { type WebhookOptions, receiver } from '../receiver.ts';
import { bodyReadBefore } from './body-read-before.ts';
import {
  headersOf,
  type LambdaEvent,
  type LambdaResponse,
  methodOf,
  wantsLists,
} from './lambda-event.ts';
import { webhookRequest } from './listener.ts';

export type { HeaderMap, LambdaEvent, LambdaResponse } from './lambda-event.ts';

/**
 * Bots as a function of AWS Lambda: `export const handler = lambda([bot])`, behind a function URL, an
 * API Gateway or an Application Load Balancer. Rejects for events that are no requests, with an error that
 * names their format. Lambda stops the function after its answer: a late reply is sent when the next
 * delivery wakes it.
 */
export function lambda(
  bots: readonly AnyBot[],
  options: WebhookOptions = {},
): (event: LambdaEvent) => Promise<LambdaResponse> {
  const { receive, refuse, maxBodyBytes } = receiver(bots, options, 'platform');

  async function answer(event: LambdaEvent): Promise<WebhookResponse> {
    if (methodOf(event) !== 'POST') return refuse(405);
    const headers = headersOf(event);
    const given = event.body ?? '';
    if (typeof given !== 'string') {
      const body = bodyReadBefore(given, headers['content-length']);
      return body ? receive(webhookRequest(headers, body)) : refuse(400, 'body_lost');
    }
    const bytes = Buffer.from(given, event.isBase64Encoded ? 'base64' : 'utf8');
    if (bytes.length > maxBodyBytes) return refuse(413);
    return receive(webhookRequest(headers, { text: bytes }));
  }

  return async (event) => answered(await answer(event), wantsLists(event));
}

function answered(
  { status, body, headers: more }: WebhookResponse,
  lists: boolean,
): LambdaResponse {
  const headers = { 'content-type': 'application/json', ...more };
  const listed = Object.entries(headers).map(([name, value]) => [name, [value]] as const);
  const multiValueHeaders = lists ? { multiValueHeaders: Object.fromEntries(listed) } : undefined;
  return { statusCode: status, headers, ...multiValueHeaders, body, isBase64Encoded: false };
}
