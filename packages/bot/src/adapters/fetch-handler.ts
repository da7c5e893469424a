import type { AnyBot } from '../internals.ts';
import type { Place } from '../not-started.ts';
import {
  isRefused,
  type Refusal,
  type WebhookRequest,
  type WebhookResponse,
} from '../open-delivery.ts';
import { type WebhookOptions, receiver } from '../receiver.ts';
import type { Body } from './body-read-before.ts';

/** Answers the deliveries of several bots, on any platform with the Web `Request`. */
export function fetchHandler(
  bots: readonly AnyBot[],
  options: WebhookOptions = {},
): (request: Request) => Promise<Response> {
  const { answer } = fetchReceiver(bots, options, 'fetch');
  return (request) => answer(request);
}

/** The same, with `idle`, which resolves when no handler runs any more. */
export function fetchReceiver(bots: readonly AnyBot[], options: WebhookOptions, place: Place) {
  const { receive, refuse, maxBodyBytes, idle } = receiver(bots, options, place);
  /** `given` is the body of a request that the application has read before. */
  const answer = async (request: Request, given?: Body): Promise<Response> => {
    const read = await readRequest(request, maxBodyBytes, given);
    return webResponse(isRefused(read) ? refuse(read.status, read.reason) : await receive(read));
  };
  return { answer, idle };
}

interface RefusedRequest extends Refusal {
  readonly status: 400 | 405 | 413;
}

/**
 * Reads a Web `Request` of at most `maxBodyBytes`. `given` is its body if the application has read it
 * before.
 */
export async function readRequest(
  request: Request,
  maxBodyBytes: number,
  given?: Body,
): Promise<WebhookRequest | RefusedRequest> {
  if (request.method !== 'POST') return { status: 405 };
  if (given !== undefined) return webhookRequest(request, given);
  if (request.bodyUsed || request.body?.locked) return { status: 400, reason: 'body_lost' };
  if (Number(request.headers.get('content-length')) > maxBodyBytes) return { status: 413 };
  try {
    const text = await readBytes(request, maxBodyBytes);
    return text === undefined ? { status: 413 } : webhookRequest(request, { text });
  } catch {
    return { status: 400 };
  }
}

function webhookRequest({ headers }: Request, body: Body): WebhookRequest {
  const header = (name: string) => headers.get(name) ?? undefined;
  return {
    ...body,
    contentType: header('content-type'),
    contentEncoding: header('content-encoding'),
    signature: {
      id: header('webhook-id'),
      timestamp: header('webhook-timestamp'),
      signature: header('webhook-signature'),
    },
  };
}

/** The response to a delivery as a Web `Response`. */
export function webResponse({ status, body, headers }: WebhookResponse): Response {
  return new Response(body, {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** Undefined if the body is larger than the limit. Rejects if it cannot be read. */
async function readBytes({ body }: Request, limit: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > limit) return undefined;
    chunks.push(chunk);
  }
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
}
