import type { IncomingMessage, ServerResponse } from 'node:http';
import type {
  Http2ServerRequest,
  Http2ServerResponse,
  Http2Session,
  ServerHttp2Stream,
} from 'node:http2';
import { constants } from 'node:http2';
import type { Socket } from 'node:net';

import type { ProviderAnswer } from './provider.ts';

/** The ways to end one request, over HTTP/2 or HTTP/1.1. */
export interface Exchange {
  /** Sends the answer unless the client has disconnected. */
  respond(answer: ProviderAnswer): void;
  /** Rejects the request unprocessed: the client may send it again. */
  refuse(): void;
  /** Whether a GOAWAY has excluded this request from processing. */
  isRejected(): boolean;
  /** Ends the request without an answer. */
  reset(): void;
  /** Announces that the connection takes no more requests. Without `answered` it rejects this one too. */
  goAway(how: { answered: boolean; reason?: string }): void;
  /** Drops the connection. */
  disconnect(): void;
  /** Stops reading from the connection. */
  freeze(): void;
}

/** The last stream of each connection that has announced its end. */
const lastStreams = new WeakMap<Http2Session, number>();

/** A request over HTTP/2. */
export function http2Exchange(stream: ServerHttp2Stream, socket: Socket | undefined): Exchange {
  const { session } = stream;
  return {
    respond({ status, headers, body }) {
      if (stream.destroyed || stream.closed) return;
      stream.respond({ ':status': status, ...headers }, { endStream: body === '' });
      if (body !== '') stream.end(body);
    },
    refuse: () => stream.close(constants.NGHTTP2_REFUSED_STREAM),
    isRejected: () =>
      session !== undefined && (stream.id ?? 0) > (lastStreams.get(session) ?? Infinity),
    reset: () => stream.close(constants.NGHTTP2_INTERNAL_ERROR),
    goAway({ answered, reason }) {
      const id = stream.id ?? 1;
      // Node cannot send GOAWAY with last stream 0, so the first stream of a connection is reset instead.
      if (!answered && id === 1) stream.close(constants.NGHTTP2_REFUSED_STREAM);
      const data = reason === undefined ? undefined : Buffer.from(JSON.stringify({ reason }));
      const last = answered || id === 1 ? id : id - 2;
      if (session) lastStreams.set(session, Math.min(last, lastStreams.get(session) ?? last));
      session?.goaway(constants.NGHTTP2_NO_ERROR, last, data);
      // Closing the session now would send a second GOAWAY with a later stream before this one.
      stream.once('close', () => session?.close());
    },
    disconnect: () => void (socket ?? session)?.destroy(),
    freeze: () => stopReading(socket),
  };
}

/** A request over HTTP/1.1. It cannot be rejected unprocessed, so the connection drops instead. */
export function http1Exchange(
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
): Exchange {
  const { socket } = request;
  const disconnect = () => void socket.destroy();
  return {
    respond({ status, headers, body }) {
      if (socket.destroyed) return;
      response.statusCode = status;
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      response.end(body);
    },
    refuse: disconnect,
    isRejected: () => false,
    reset: disconnect,
    goAway({ answered }) {
      if (answered) response.setHeader('connection', 'close');
      else disconnect();
    },
    disconnect,
    freeze: () => stopReading(socket),
  };
}

/** Stops reading through the socket's handle: Node has no public way to do so for an HTTP/2 session. */
function stopReading(socket: Socket | undefined): void {
  const handle: unknown = socket === undefined ? undefined : Reflect.get(socket, '_handle');
  if (typeof handle !== 'object' || handle === null) return;
  const readStop: unknown = Reflect.get(handle, 'readStop');
  if (typeof readStop === 'function') Reflect.apply(readStop, handle, []);
}
