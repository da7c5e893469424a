import { once } from 'node:events';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import type { Readable } from 'node:stream';

import type { TlsIdentity } from './certificates.ts';
import { type Exchange, http1Exchange, http2Exchange } from './exchange.ts';
import type { FaultBoard } from './faults.ts';
import type { Journal } from './journal.ts';
import type { Provider, ProviderRequest } from './provider.ts';
import { serve } from './serve.ts';

/** The settings that Apple's servers announce, as last seen. */
const settings = {
  headerTableSize: 4096,
  maxConcurrentStreams: 1000,
  initialWindowSize: 65_535,
  maxFrameSize: 16_384,
  maxHeaderListSize: 8000,
};
/** Named here because the overloads of `on` hide the types of the parameters. */
type StreamListener = (
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  flags: number,
  rawHeaders: string[],
) => void;

const maxBodyBytes = 65_536;

export interface ProviderServerOptions {
  provider: Provider;
  tls: TlsIdentity;
  host: string;
  port: number;
  /** Google speaks HTTP/1.1 too, Apple does not. */
  http1: boolean;
  faults: FaultBoard;
  journal: Journal;
  now: () => number;
}

/** A provider on a port, with real TLS and HTTP/2. Applies the faults that are switched on. */
export interface ProviderServer {
  port: number;
  stop(): Promise<void>;
}

/** Starts listening; rejects if the port is taken. */
export async function startProviderServer(options: ProviderServerOptions): Promise<ProviderServer> {
  const { cert, key } = options.tls;
  const server = createSecureServer({ cert, key, settings, allowHTTP1: options.http1 });
  const open = trackConnections(server);

  const listen = (request: Omit<ProviderRequest, 'body'>, body: Readable, exchange: Exchange) =>
    collect(body, (bytes) => serve({ ...request, body: bytes }, exchange, options));

  const onStream: StreamListener = (stream, headers, _flags, rawHeaders) => {
    const { session } = stream;
    if (session === undefined) return;
    const request = {
      method: headers[':method'] ?? '',
      path: headers[':path'] ?? '',
      headers,
      rawHeaders,
      connection: session,
    };
    // The client has given up and reset its stream.
    stream.on('error', () => undefined);
    listen(request, stream, http2Exchange(stream, open.socketOf(session)));
  };
  server.on('stream', onStream);
  if (options.http1) {
    server.on('request', (request, response) => {
      if (request.httpVersionMajor !== 1) return;
      const { method, url, headers, rawHeaders, socket } = request;
      const lowerCase = rawHeaders.map((text, at) => (at % 2 === 0 ? text.toLowerCase() : text));
      request.on('error', () => undefined);
      listen(
        { method, path: pathOf(url), headers, rawHeaders: lowerCase, connection: socket },
        request,
        http1Exchange(request, response),
      );
    });
  }

  server.listen(options.port, options.host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      open.destroyAll();
      await closed;
    },
  };
}

/** The path of a target, which may be a whole URL. */
const pathOf = (target: string): string => target.replace(/^https?:\/\/[^/?]*(?=[/?])/i, '');

function collect(body: Readable, onEnd: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  body.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
  });
  body.on('end', () => onEnd(Buffer.concat(chunks)));
}

function trackConnections(server: Http2SecureServer) {
  const sockets = new Set<Socket>();
  const sessions = new Set<ServerHttp2Session>();
  const secured = new WeakMap<Http2Session, Socket>();
  let latest: Socket | undefined;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  };
  server.on('connection', track);
  // Node creates the session of a secure socket synchronously, right after this event.
  server.prependListener('secureConnection', (socket: Socket) => {
    track(socket);
    latest = socket;
  });
  server.on('session', (session) => {
    sessions.add(session);
    if (latest !== undefined) secured.set(session, latest);
    session.on('error', () => undefined);
    session.once('close', () => sessions.delete(session));
  });
  return {
    socketOf: (session: Http2Session) => secured.get(session),
    destroyAll() {
      for (const session of sessions) session.destroy();
      for (const socket of sockets) socket.destroy();
    },
  };
}
