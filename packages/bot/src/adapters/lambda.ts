import type { AnyBot } from '../internals.ts';
import { type WebhookOptions, receiver } from '../receiver.ts';
import { webhookRequest } from './listener.ts';

/** The part of an event that is used here: of a function URL or an HTTP API, format 2.0. */
interface LambdaEvent {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string | null;
  readonly isBase64Encoded: boolean;
  readonly requestContext: { readonly http: { readonly method: string } };
}

interface LambdaResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Bots as a function of AWS Lambda: `export const handler = lambda([bot])`. Lambda stops the function
 * after its answer: a late reply is sent when the next delivery wakes it.
 */
export function lambda(
  bots: readonly AnyBot[],
  options: WebhookOptions = {},
): (event: LambdaEvent) => Promise<LambdaResponse> {
  const { receive, refuse, maxBodyBytes } = receiver(bots, options);
  return async ({ headers, body, isBase64Encoded, requestContext }) => {
    if (requestContext.http.method !== 'POST') return answered(refuse(405));
    const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
    if (bytes.length > maxBodyBytes) return answered(refuse(413));
    const names = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
    const incoming = webhookRequest(Object.fromEntries(names), { text: bytes.toString() });
    return answered(await receive(incoming));
  };
}

function answered({ status, body }: { status: number; body: string }): LambdaResponse {
  const allow = status === 405 ? { allow: 'POST' } : undefined;
  return { statusCode: status, headers: { 'content-type': 'application/json', ...allow }, body };
}
