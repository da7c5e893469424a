import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface Posted {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text goes with its length; chunks go as they come, until the endpoint has answered. */
  readonly body?: string | AsyncIterable<string | Buffer>;
  /** From the call to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Of the answer; 64 KiB unless said otherwise. */
  readonly maxResponseBytes?: number;
  readonly signal?: AbortSignal;
}

/** What came of a request: an answer, or the reason why there is no whole one. */
export type Answer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: string;
      readonly ms: number;
      /** Of the body that was sent as chunks. */
      readonly sentBytes: number;
    }
  | {
      readonly kind: 'timeout' | 'connection' | 'too_large' | 'canceled';
      readonly reason: string;
      readonly ms: number;
      readonly sentBytes: number;
    };

/**
 * One HTTP request on a connection of its own, which ends with it. Redirects are not followed.
 * Never rejects.
 */
export function post(url: string, posted: Posted): Promise<Answer> {
  const { method = 'POST', headers = {}, body, timeoutMs, maxResponseBytes = 65_536 } = posted;
  const started = performance.now();
  let sentBytes = 0;
  const since = () => ({ ms: performance.now() - started, sentBytes });
  const target = URL.parse(url);
  if (!target || !/^https?:$/.test(target.protocol))
    return Promise.resolve({ kind: 'connection', reason: 'no HTTP address', ms: 0, sentBytes });
  return new Promise((resolve) => {
    const request = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, {
      method,
      agent: false,
      headers: { ...(typeof body === 'string' ? lengthOf(body) : {}), ...headers },
    });
    let isOver = false;
    const end = (answer: Answer) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      posted.signal?.removeEventListener('abort', cancel);
      request.destroy();
      resolve(answer);
    };
    const fail = (kind: 'timeout' | 'connection' | 'too_large' | 'canceled', reason: string) =>
      end({ kind, reason, ...since() });
    const cancel = () => fail('canceled', 'given up');
    const timer = setTimeout(
      () => fail('timeout', `no whole answer within ${timeoutMs} ms`),
      timeoutMs,
    );
    posted.signal?.addEventListener('abort', cancel);
    if (posted.signal?.aborted) cancel();
    request.on('error', (error: NodeJS.ErrnoException) =>
      fail('connection', error.code ?? error.message),
    );
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > maxResponseBytes)
          fail('too_large', `the answer is longer than ${maxResponseBytes} bytes`);
      });
      response.on('error', (error) => fail('connection', error.message));
      response.on('end', () =>
        end({
          kind: 'answer',
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
          ...since(),
        }),
      );
    });
    if (body === undefined || typeof body === 'string') request.end(body);
    else {
      let resume = () => {};
      for (const event of ['drain', 'close']) request.on(event, () => resume());
      const vessel = {
        write: (chunk: string | Buffer) => {
          sentBytes += chunk.length;
          return request.write(chunk);
        },
        drained: () => new Promise<void>((resolved) => (resume = resolved)),
        isOver: () => isOver || request.destroyed,
      };
      void pour(body, vessel).then(() => {
        if (!request.destroyed) request.end();
      });
    }
  });
}

const lengthOf = (body: string) => ({ 'content-length': String(Buffer.byteLength(body)) });

interface Vessel {
  readonly write: (chunk: string | Buffer) => boolean;
  readonly drained: () => Promise<unknown>;
  readonly isOver: () => boolean;
}

async function pour(body: AsyncIterable<string | Buffer>, vessel: Vessel): Promise<void> {
  for await (const chunk of body) {
    if (vessel.isOver()) return;
    if (!vessel.write(chunk)) await vessel.drained();
  }
}
