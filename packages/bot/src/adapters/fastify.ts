import type { Readable } from 'node:stream';

import type { AnyBot } from '../internals.ts';
import type { WebhookResponse } from '../open-delivery.ts';
import { type WebhookOptions, receiver } from '../receiver.ts';
import { type Body, bodyReadBefore } from './body-read-before.ts';
import { wasRead, webhookRequest } from './listener.ts';

/** The part of Fastify that is used here. */
export interface FastifyApp {
  removeAllContentTypeParsers: () => void;
  addContentTypeParser: (
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parse: (request: unknown, body: Buffer, done: (error: null, body: Buffer) => void) => void,
  ) => unknown;
  setErrorHandler: (
    handler: (error: unknown, request: unknown, reply: FastifyReply) => unknown,
  ) => unknown;
  /** `never`: the type of a hook depends on type parameters of Fastify. */
  addHook: (name: 'preParsing', hook: never) => unknown;
  all: (
    path: string,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ) => unknown;
}

export interface FastifyRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
  readonly raw: object;
}

export interface FastifyReply {
  code: (status: number) => FastifyReply;
  headers: (headers: Record<string, string>) => FastifyReply;
  send: (body: string) => unknown;
}

/**
 * Answers the deliveries of several bots in a Fastify application:
 * `app.register(webhook([bot]), { prefix: '/bots' })`.
 */
export function webhook(
  bots: readonly AnyBot[],
  options: WebhookOptions = {},
): (app: FastifyApp) => Promise<void> {
  const { receive, refuse, maxBodyBytes } = receiver(bots, options, 'process');

  /** Requests whose body comes from a hook of the application, such as one that inflates it. */
  const inflated = new WeakSet<object>();

  /** Fastify would wait for ever for a body that middleware or a hook has read before. */
  function beforeParsing(
    { method, headers, raw }: FastifyRequest,
    reply: FastifyReply,
    payload: Readable,
    done: () => void,
  ): void {
    if (payload !== raw) inflated.add(raw);
    if (method !== 'POST' || !wasRead(payload)) return done();
    // Middleware of Express may have put a body there.
    const { body: parsed } = raw as { body?: unknown };
    const length = headers['content-length'];
    const body = bodyReadBefore(parsed, typeof length === 'string' ? length : undefined);
    if (body === undefined) write(reply, refuse(400, 'body_lost'));
    else void receive(webhookRequest(headers, body)).then((answer) => write(reply, answer));
  }

  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: maxBodyBytes },
      (_request, body, done) => done(null, body),
    );
    app.setErrorHandler((error, _request, reply) => {
      const tooLarge = error instanceof Error && 'statusCode' in error && error.statusCode === 413;
      return write(reply, refuse(tooLarge ? 413 : 400));
    });
    app.addHook('preParsing', beforeParsing as never);
    app.all('/', async (request, reply) => {
      if (request.method !== 'POST') return write(reply, refuse(405));
      const text = request.body instanceof Uint8Array ? request.body : '';
      const body: Body = inflated.has(request.raw) ? { text, decoded: 'bytes' } : { text };
      return write(reply, await receive(webhookRequest(request.headers, body)));
    });
  };
}

function write(reply: FastifyReply, { status, body, headers }: WebhookResponse): unknown {
  return reply
    .code(status)
    .headers({ 'content-type': 'application/json', ...headers })
    .send(body);
}
