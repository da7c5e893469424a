import type { AnyBot } from '../internals.ts';
import type { WebhookOptions } from '../receiver.ts';
import type { Body } from './body-read-before.ts';
import { fetchReceiver } from './fetch-handler.ts';

/** The part of a request of Hono that is used here. */
export interface HonoRequest {
  readonly raw: Request;
  /** What the application has read of the body, by the names of the methods that read it. */
  readonly bodyCache: Readonly<Record<string, unknown>>;
  readonly arrayBuffer: () => Promise<ArrayBuffer>;
}

/** Answers the deliveries of several bots in a Hono application: `app.all('/bots', webhook([bot]))`. */
export function webhook(
  bots: readonly AnyBot[],
  options: WebhookOptions = {},
): (context: { readonly req: HonoRequest }) => Promise<Response> {
  const { answer } = fetchReceiver(bots, options, 'fetch');
  return async ({ req }) => answer(req.raw, req.raw.bodyUsed ? await keptBody(req) : undefined);
}

/** The body as the application has read it; undefined if Hono has not kept it. */
async function keptBody(req: HonoRequest): Promise<Body | undefined> {
  const { bodyCache } = req;
  try {
    // Hono makes the same bytes of its text. From a parsed body it would make others, which the
    // signature does not fit.
    if ('text' in bodyCache || 'arrayBuffer' in bodyCache || 'blob' in bodyCache)
      return { text: new Uint8Array(await req.arrayBuffer()) };
    if ('json' in bodyCache) return { text: undefined, parsed: await bodyCache['json'] };
    const form = await bodyCache['formData'];
    return form instanceof FormData
      ? { text: undefined, parsed: Object.fromEntries(form.entries()) }
      : undefined;
  } catch {
    return undefined;
  }
}
