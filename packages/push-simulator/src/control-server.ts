import { isUtf8 } from 'node:buffer';
import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { declaredCharset, isUtf8Name } from '@bellhop/protocol';
import { z, ZodError } from 'zod';

import { controlOpenapi } from './control-openapi.ts';
import { ControlRefusal, type ControlTarget } from './control-route.ts';
import { findRoute } from './control-routes.ts';
import { UnknownDevice } from './devices.ts';
import { exactJson } from './exact-json.ts';
import type { Journal } from './journal.ts';

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;
const maxBodyBytes = 65_536;
/** A reader of events with more unread bytes is disconnected. */
const maxUnreadBytes = 4_194_304;

export interface ControlServer {
  port: number;
  stop(): Promise<void>;
}

interface ControlServerOptions extends ControlTarget {
  host: string;
  port: number;
  /** The bearer token of every request. */
  token: string;
}

/** Serves devices, faults and the journal as JSON over HTTP, for programs and pages of this machine. */
export async function startControlServer(options: ControlServerOptions): Promise<ControlServer> {
  const stopping = new AbortController();
  const server = createServer((request, response) => {
    handle(request, response, { ...options, stopping: stopping.signal }).catch((error: unknown) =>
      sendError(response, error),
    );
  });
  server.listen(options.port, options.host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      const closed = once(server, 'close');
      stopping.abort();
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  simulator: ControlServerOptions & { stopping: AbortSignal },
): Promise<void> {
  const url = addressOf(request);
  if (!loopback.test(url.host)) {
    throw new ControlRefusal(403, 'The host name of the request must be one of this machine');
  }
  allowLocalPages(request, response);
  if (request.method === 'OPTIONS') {
    response.writeHead(204).end();
    return;
  }
  if (url.pathname === '/openapi.json' && request.method === 'GET') {
    send(response, 200, controlOpenapi());
    return;
  }
  requireToken(request, simulator.token);
  if (url.pathname === '/events' && request.method === 'GET') {
    streamEvents(response, simulator.journal);
    return;
  }
  const { run, parts } = findRoute(request.method ?? '', url.pathname);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const result = await run({
    simulator,
    parts,
    query: Object.fromEntries(url.searchParams),
    body: await readJson(request),
    signal: AbortSignal.any([gone.signal, simulator.stopping]),
  });
  send(response, 200, result);
}

/** The address of a request: its target if that is a whole URL, else its path at the Host header. */
function addressOf({ url = '/', headers: { host = '' } }: IncomingMessage): URL {
  const address = URL.parse(/^[/*]/.test(url) ? `http://${host}${url.replace('*', '/')}` : url);
  if (address) return address;
  throw new ControlRefusal(400, 'The target or the Host header of the request is not valid');
}

function requireToken({ headers }: IncomingMessage, token: string): void {
  const given = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  if (timingSafeEqual(digest(given), digest(token))) return;
  throw new ControlRefusal(401, 'Send the header "authorization: Bearer" with the control token');
}

/** Allows requests from web pages of this machine only. */
function allowLocalPages(request: IncomingMessage, response: ServerResponse): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  if (!loopback.test(origin.replace(/^https?:\/\//, ''))) {
    throw new ControlRefusal(403, 'Only web pages of this machine may send requests');
  }
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-methods', 'GET, POST, PUT, PATCH, DELETE');
  response.setHeader('access-control-allow-headers', 'authorization, content-type');
  response.setHeader('vary', 'origin');
}

function streamEvents(response: ServerResponse, journal: Journal): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write(': hello\n\n');
  const end = journal.listen((event) => {
    if (response.writableLength > maxUnreadBytes) response.destroy();
    else response.write(`data: ${exactJson(event)}\n\n`);
  });
  response.once('close', end);
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  requirePlain(request);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new ControlRefusal(413, 'The body is too large');
    chunks.push(chunk);
  }
  if (size === 0) return {};
  const body = Buffer.concat(chunks);
  if (!isUtf8(body)) throw new ControlRefusal(400, 'The body is not valid UTF-8');
  try {
    return JSON.parse(body.toString('utf8').replace(/^\ufeff/, ''));
  } catch {
    throw new ControlRefusal(400, 'The body is not JSON');
  }
}

/** Refuses a body that would be read as something else than its headers say. */
function requirePlain({ headers }: IncomingMessage): void {
  const { 'content-encoding': coding = 'identity', 'content-type': type } = headers;
  if (coding.toLowerCase() !== 'identity')
    throw new ControlRefusal(415, `The body is compressed (${coding}): send it as it is`);
  const charset = declaredCharset(type);
  if (!isUtf8Name(charset))
    throw new ControlRefusal(415, `The charset of the body is ${charset}: send it as UTF-8`);
}

function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return;
  if (error instanceof ControlRefusal) send(response, error.status, { error: error.message });
  else if (error instanceof UnknownDevice) send(response, 404, { error: error.message });
  else if (error instanceof ZodError) send(response, 400, { error: z.prettifyError(error) });
  else send(response, 500, { error: 'The simulator failed: this is a bug' });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = `${exactJson(body)}\n`;
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(text);
}
