import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { ApiError } from '@bellhop/protocol/contract';

import { type Exchange, exchangeOf } from './exchange.ts';
import { readByteRange } from './read-byte-range.ts';
import { sendError } from './send-response.ts';

/** A file that the caller may download. */
export interface Download {
  readonly name: string;
  /** A media type that is safe to send to a browser. */
  readonly type: string;
  /** Whether a browser may display it; else it saves the file. */
  readonly isShown: boolean;
  readonly size: number;
  /** The ETag: changes with the content. */
  readonly tag: string;
  /** The bytes from `from` to before `to`. */
  readonly read: (from: number, to: number) => AsyncIterable<Uint8Array>;
}
export interface DownloadOptions {
  readonly behindProxy: boolean;
  /** Finds the file of a request and checks the caller's access. Throws an ApiError. */
  readonly find: (exchange: Exchange) => Promise<Download>;
  readonly onError: (error: unknown, exchange: Exchange) => void;
  /** Turns an error of the program into an ApiError for the client. Default: none is turned. */
  readonly toApiError?: (error: unknown) => unknown;
}

/**
 * Serves uploaded files, with headers that keep browsers from running them. Supports HEAD, byte ranges
 * and conditional requests.
 */
export function serveDownloads({
  behindProxy,
  find,
  onError,
  toApiError,
}: DownloadOptions): RequestListener {
  const respond = async (
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
  ) => {
    request.resume();
    try {
      if (exchange.method !== 'GET' && exchange.method !== 'HEAD') throw notAllowed(exchange);
      await send(response, exchange, await find(exchange));
    } catch (error) {
      if (!(error instanceof ApiError) && !isDisconnect(error)) onError(error, exchange);
      if (response.destroyed) return;
      if (response.headersSent) response.destroy();
      else sendError(response, exchange, toApiError?.(error) ?? error, { isPage: true });
    }
  };
  return (request, response) => {
    const exchange = exchangeOf(request, response, behindProxy);
    respond(request, response, exchange).catch((error: unknown) => onError(error, exchange));
  };
}

/** Whether the client disconnected before the end of the file. */
const isDisconnect = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

function notAllowed(exchange: Exchange): ApiError {
  exchange.setHeader('allow', 'GET, HEAD');
  return new ApiError('METHOD_NOT_ALLOWED', { data: { allowed_methods: ['GET'] } });
}

async function send(response: ServerResponse, exchange: Exchange, file: Download): Promise<void> {
  const tag = `"${file.tag}"`;
  const headers = { ...safe, etag: tag, 'content-disposition': disposition(file) };
  if (exchange.header('if-none-match')?.includes(tag)) {
    response.writeHead(304, headers).end();
    return;
  }
  const since = exchange.header('if-range');
  const isSame = since === undefined || since === tag;
  const range = isSame ? readByteRange(exchange.header('range'), file.size) : undefined;
  if (range === 'none') {
    response.writeHead(416, { ...headers, 'content-range': `bytes */${file.size}` }).end();
    return;
  }
  const { from, to } = range ?? { from: 0, to: file.size };
  // What cannot be read is an error with a status, not a download that breaks off.
  const content = exchange.method === 'HEAD' ? undefined : await begun(file.read(from, to));
  response.writeHead(range ? 206 : 200, {
    ...headers,
    'content-type': file.type,
    'content-length': to - from,
    ...(range ? { 'content-range': `bytes ${from}-${to - 1}/${file.size}` } : {}),
  });
  if (content) await pipeline(Readable.from(content, { objectMode: false }), response);
  else response.end();
}

/** The same parts, of which the first has been read. */
async function begun(parts: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const iterator = parts[Symbol.asyncIterator]();
  const first = await iterator.next();
  return (async function* () {
    if (first.done) return;
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => iterator };
  })();
}

/** Forbids scripts, loading other resources, guessing the media type and shared caches. */
const safe = {
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'",
  'cross-origin-resource-policy': 'same-site',
  'referrer-policy': 'no-referrer',
  'cache-control': 'private, no-cache',
  vary: 'authorization',
  'accept-ranges': 'bytes',
};

/** The file name in ASCII for old clients, and exact. */
function disposition({ name, isShown }: Download): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${isShown ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${exact}`;
}
