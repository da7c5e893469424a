import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';

interface Post {
  /** PEM. */
  readonly ca: string;
  readonly body: Buffer;
  readonly headers: Record<string, string>;
}

/** Sends a POST request over HTTP/1.1. */
export const post = (
  url: string,
  { ca, body, headers }: Post,
): Promise<{ status: number; headers: IncomingHttpHeaders }> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', ca, headers }, (response) => {
      response.resume();
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers }),
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });
