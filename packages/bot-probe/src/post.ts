import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';

export interface PostOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent with its content-length. Chunks are sent until the endpoint has responded. */
  readonly body?: string | AsyncIterable<string | Buffer>;
  /** The time from the call to the last byte of the response. */
  readonly timeoutMs: number;
  /** The longest response body; the default is 64 KiB. */
  readonly maxResponseBytes?: number;
  readonly signal?: AbortSignal;
}

/** The result of a request: a response, or the reason why there is no complete one. */
export type PostResult =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: string;
      readonly ms: number;
      /** The length of the chunks that were sent. */
      readonly sentBytes: number;
    }
  | {
      readonly kind: 'timeout' | 'connection' | 'too_large' | 'canceled';
      readonly reason: string;
      readonly ms: number;
      readonly sentBytes: number;
    };

/**
 * Makes one HTTP request on a new connection and closes it. Does not follow redirects. Never rejects.
 */
export function post(url: string, options: PostOptions): Promise<PostResult> {
  const { method = 'POST', headers = {}, body, timeoutMs, maxResponseBytes = 65_536 } = options;
  const started = performance.now();
  let sentBytes = 0;
  const since = () => ({ ms: performance.now() - started, sentBytes });
  const target = URL.parse(url);
  if (!target || !/^https?:$/.test(target.protocol))
    return Promise.resolve({ kind: 'connection', reason: 'not an HTTP address', ms: 0, sentBytes });
  return new Promise((resolve) => {
    const request = (target.protocol === 'https:' ? httpsRequest : httpRequest)(target, {
      method,
      agent: false,
      headers: { ...(typeof body === 'string' ? lengthOf(body) : {}), ...headers },
    });
    let hasEnded = false;
    const end = (result: PostResult) => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', cancel);
      request.destroy();
      resolve(result);
    };
    const fail = (kind: 'timeout' | 'connection' | 'too_large' | 'canceled', reason: string) =>
      end({ kind, reason, ...since() });
    const cancel = () => fail('canceled', 'canceled');
    const timer = setTimeout(
      () => fail('timeout', `no complete answer within ${timeoutMs} ms`),
      timeoutMs,
    );
    options.signal?.addEventListener('abort', cancel);
    if (options.signal?.aborted) cancel();
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
          kind: 'response',
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
      const sink = {
        write: (chunk: string | Buffer) => {
          sentBytes += chunk.length;
          return request.write(chunk);
        },
        drained: () => new Promise<void>((resolved) => (resume = resolved)),
        hasEnded: () => hasEnded || request.destroyed,
      };
      void writeChunks(body, sink).then(() => {
        if (!request.destroyed) request.end();
      });
    }
  });
}

const lengthOf = (body: string) => ({ 'content-length': String(Buffer.byteLength(body)) });

interface ChunkSink {
  readonly write: (chunk: string | Buffer) => boolean;
  readonly drained: () => Promise<unknown>;
  readonly hasEnded: () => boolean;
}

async function writeChunks(body: AsyncIterable<string | Buffer>, sink: ChunkSink): Promise<void> {
  for await (const chunk of body) {
    if (sink.hasEnded()) return;
    if (!sink.write(chunk)) await sink.drained();
  }
}
