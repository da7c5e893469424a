import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A fetch that sends this Host header; the built-in one sends the host of the URL. */
export const fetchAsHost =
  (host: string): typeof fetch =>
  async (input, init) => {
    const asked = new Request(input, init);
    const body = Buffer.from(await asked.arrayBuffer());
    const headers = { ...Object.fromEntries(asked.headers), host, 'content-length': body.length };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(asked.url, { method: asked.method, headers }, resolve);
      sent.on('error', reject);
      sent.end(body);
    });
    const { statusCode = 500, headers: answered } = answer;
    return new Response(await buffer(answer), {
      status: statusCode,
      headers: { 'retry-after': answered['retry-after'] ?? '0' },
    });
  };
