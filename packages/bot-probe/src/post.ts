import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';

import {
  codeOf,
  connectionFault,
  decodeContent,
  parserFault,
  UndecodableContent,
} from '@bellhop/http/answers';
import {
  decodeText,
  type DeliveryFault,
  deliveryFaults,
  type FaultFacts,
  isSuccessStatus,
} from '@bellhop/protocol';

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
      readonly kind: 'fault';
      readonly fault: DeliveryFault | 'canceled';
      /** In the words of the server for the author of a bot. */
      readonly reason: string;
      /** What is wrong with an answer that cannot be read. Ends a sentence that begins with "the answer". */
      readonly detail?: string | undefined;
      readonly ms: number;
      readonly sentBytes: number;
    };

export const isSuccess = (result: PostResult): boolean =>
  result.kind === 'response' && isSuccessStatus(result.status);

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
    return Promise.resolve({
      kind: 'fault',
      fault: 'address_forbidden',
      reason: 'not an HTTP address',
      ms: 0,
      sentBytes,
    });
  const isTls = target.protocol === 'https:';
  const about = { host: target.host, isTls, limitMs: timeoutMs };
  const isAddress = isIP(target.hostname.replace(/^\[|\]$/g, '')) !== 0;
  let step: NonNullable<FaultFacts['step']> = isAddress ? 'connect' : 'dns';
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
    const fail = (fault: DeliveryFault, found: FaultFacts = {}) => {
      const { ms, ...sent } = since();
      const reason = deliveryFaults[fault].forAuthor({ ...about, step, ms, ...found });
      end({ kind: 'fault', fault, reason, detail: found.detail, ms, ...sent });
    };
    const cancel = () => end({ kind: 'fault', fault: 'canceled', reason: 'canceled', ...since() });
    const timer = setTimeout(() => fail('timeout'), timeoutMs);
    options.signal?.addEventListener('abort', cancel);
    if (options.signal?.aborted) cancel();
    const failBy = (error: ParserError) => {
      const code = codeOf(error);
      if (code === 'ETIMEDOUT') return fail('timeout');
      if (!code.startsWith('HPE_')) return fail(connectionFault(error), { code });
      const [fault, detail] = unreadable(error);
      return fail(fault, { detail });
    };
    request.on('error', failBy);
    request.on('socket', (socket) => {
      socket.once('lookup', () => (step = 'connect'));
      socket.once(isTls ? 'secureConnect' : 'connect', () => (step = 'first_byte'));
    });
    request.on('upgrade', () =>
      fail('bad_http', { detail: 'changes to another protocol, which nobody asked for' }),
    );
    request.on('response', (response) => {
      step = 'body';
      const { statusCode: status = 0, headers: answered } = response;
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size > maxResponseBytes) fail('too_large', { status });
      });
      response.on('error', (error: ParserError) => failBy(error));
      response.on('end', () => {
        try {
          const bytes = decodeContent(Buffer.concat(chunks), answered, maxResponseBytes);
          const { text, fault } = decodeText(bytes, answered['content-type']);
          if (fault !== undefined && isSuccessStatus(status))
            fail('bad_charset', { status, detail: fault });
          else end({ kind: 'response', status, headers: answered, body: text, ...since() });
        } catch (error) {
          if (!(error instanceof UndecodableContent)) throw error;
          if (!isSuccessStatus(status))
            end({ kind: 'response', status, headers: answered, body: '', ...since() });
          else if (error.isTooLarge) fail('too_large', { status });
          else fail('bad_encoding', { status, detail: error.message });
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

const unreadable = ({ code, reason = '' }: ParserError): [fault: DeliveryFault, detail: string] =>
  code === 'HPE_HEADER_OVERFLOW'
    ? ['header_too_large', `has more than ${MAX_HEADER_BYTES / 1024} KiB of headers`]
    : parserFault(reason);

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
