import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';

import { decodeContent, UndecodableContent } from '@bellhop/http/answers';
import { decodeText } from '@bellhop/protocol';

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

/** `unreadable`: an answer came, and is not valid HTTP or not what its headers say. */
type FailureKind = 'timeout' | 'connection' | 'too_large' | 'unreadable' | 'canceled';

/** The limit of the server. */
const MAX_HEADER_BYTES = 65_536;

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
      readonly kind: FailureKind;
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
      maxHeaderSize: MAX_HEADER_BYTES,
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
    const fail = (kind: FailureKind, reason: string) => end({ kind, reason, ...since() });
    const cancel = () => fail('canceled', 'canceled');
    const timer = setTimeout(
      () => fail('timeout', `no complete answer within ${timeoutMs} ms`),
      timeoutMs,
    );
    options.signal?.addEventListener('abort', cancel);
    if (options.signal?.aborted) cancel();
    const failBy = (error: ParserError, code = error.code) =>
      code?.startsWith('HPE_')
        ? fail('unreadable', notHttp(error))
        : fail('connection', code ?? error.message);
    request.on('error', failBy);
    request.on('upgrade', () => fail('unreadable', 'the answer changes to another protocol'));
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > maxResponseBytes)
          fail('too_large', `the answer is longer than ${maxResponseBytes} bytes`);
      });
      response.on('error', (error: ParserError) => failBy(error));
      response.on('end', () => {
        const { statusCode: status = 0, headers: answered } = response;
        try {
          const bytes = decodeContent(Buffer.concat(chunks), answered, maxResponseBytes);
          const { text, fault } = decodeText(bytes, answered['content-type']);
          if (fault !== undefined && status >= 200 && status <= 299)
            fail('unreadable', `${status} but ${fault}`);
          else end({ kind: 'response', status, headers: answered, body: text, ...since() });
        } catch (error) {
          if (!(error instanceof UndecodableContent)) throw error;
          if (status < 200 || status > 299)
            end({ kind: 'response', status, headers: answered, body: '', ...since() });
          else if (error.isTooLarge)
            fail('too_large', `the answer is longer than ${maxResponseBytes} bytes`);
          else fail('unreadable', `${status} but ${error.message}`);
        }
      });
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

/** An error of Node's parser; `reason` is what it misses, in fixed words. */
interface ParserError extends NodeJS.ErrnoException {
  readonly reason?: string;
}

function notHttp({ code, reason }: ParserError): string {
  if (code === 'HPE_HEADER_OVERFLOW')
    return `the answer has more than ${MAX_HEADER_BYTES / 1024} KiB of headers`;
  return `the answer is not valid HTTP${reason ? `: ${reason}` : ''}`;
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
