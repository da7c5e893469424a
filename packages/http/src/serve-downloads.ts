import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { ApiError } from '@bellhop/protocol';

import { refuse } from './answer.ts';
import { byteRange } from './byte-range.ts';
import { type Exchange, exchangeOf } from './exchange.ts';

/** A file that somebody may have. */
export interface Download {
  readonly name: string;
  /** A media type that a browser may take at its word. */
  readonly type: string;
  /** Whether a browser may show it in place; else it is saved. */
  readonly isShown: boolean;
  readonly size: number;
  /** Another for other content. */
  readonly tag: string;
  /** Its bytes from the first to before the last. */
  readonly read: (from: number, to: number) => AsyncIterable<Uint8Array>;
}
interface Downloads {
  readonly behindProxy: boolean;
  /** The file behind a path, for whoever asks; throws an ApiError. */
  readonly find: (exchange: Exchange) => Promise<Download>;
  readonly onError: (error: unknown, exchange: Exchange) => void;
}

/**
 * Serves files that strangers wrote: never as anything a browser would run, each only after asking
 * who may see it. Answers HEAD, ranges, and "not modified".
 */
export function serveDownloads({ behindProxy, find, onError }: Downloads): RequestListener {
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
      if (!(error instanceof ApiError) && !hasLeft(error)) onError(error, exchange);
      if (response.destroyed) return;
      if (response.headersSent) response.destroy();
      else refuse(response, exchange, error);
    }
  };
  return (request, response) => {
    const exchange = exchangeOf(request, response, behindProxy);
    respond(request, response, exchange).catch((error: unknown) => onError(error, exchange));
  };
}

/** The client closed the connection before it had all of it. */
const hasLeft = (error: unknown) =>
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
  const range = isSame ? byteRange(exchange.header('range'), file.size) : undefined;
  if (range === 'none') {
    response.writeHead(416, { ...headers, 'content-range': `bytes */${file.size}` }).end();
    return;
  }
  const { from, to } = range ?? { from: 0, to: file.size };
  response.writeHead(range ? 206 : 200, {
    ...headers,
    'content-type': file.type,
    'content-length': to - from,
    ...(range ? { 'content-range': `bytes ${from}-${to - 1}/${file.size}` } : {}),
  });
  if (exchange.method === 'HEAD') response.end();
  else await pipeline(Readable.from(file.read(from, to), { objectMode: false }), response);
}

/** Nothing in it runs, loads anything or is guessed to be something else; nobody else keeps it. */
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

/** The name in plain letters for old clients, and as it is. */
function disposition({ name, isShown }: Download): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${isShown ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${exact}`;
}
