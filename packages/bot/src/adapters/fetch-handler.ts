import type { AnyBot } from '../internals.ts';
import type { Place } from '../not-started.ts';
import {
  type WebhookOptions,
  receiver,
  type WebhookRequest,
  type WebhookResponse,
} from '../receiver.ts';
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
    if (request.method !== 'POST') return respond(refuse(405));
    if (given !== undefined) return respond(await receive(webhookRequest(request, given)));
    if (request.bodyUsed || request.body?.locked) return respond(refuse(400, 'body_lost'));
    if (Number(request.headers.get('content-length')) > maxBodyBytes) return respond(refuse(413));
    let text: Uint8Array | undefined;
    try {
      text = await readBytes(request, maxBodyBytes);
    } catch {
      return respond(refuse(400));
    }
    return respond(
      text === undefined ? refuse(413) : await receive(webhookRequest(request, { text })),
    );
  };
  return { answer, idle };
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

function respond({ status, body, headers }: WebhookResponse): Response {
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
