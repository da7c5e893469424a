import type { IncomingMessage, ServerResponse } from 'node:http';

import { ApiError, type Contract, decodeParams, type Endpoint } from '@bellhop/protocol';

import { answer, refuse } from './answer.ts';
import { hasBody } from './body-timeout.ts';
import { type Exchange, exchangeOf } from './exchange.ts';
import { bodyFields, type Fields, urlEncodedFields } from './read-fields.ts';
import { type Receive, receiveFrom } from './receive-file.ts';
import { type Operations, type Router, routerOf } from './routes.ts';

export interface Service<Caller> {
  /** What every path begins with: `/api/v1`. */
  readonly prefix: string;
  /** Says who calls, before any parameter is read; counts the call against their rate limit. */
  readonly admit: (endpoint: Endpoint, exchange: Exchange) => Promise<Caller>;
  /** Does the work and returns the fields beyond the envelope. */
  readonly perform: (request: Performed<Caller>) => Promise<object>;
  /** Told of every failure that is not a documented error; the client sees no detail. */
  readonly onError: (error: unknown, exchange: Exchange) => void;
  /** Told when an answer has left, for logs and metrics. */
  readonly onAnswer?: (endpoint: Endpoint | undefined, exchange: Exchange, status: number) => void;
  /** Largest request body in bytes; 1 MiB by default. */
  readonly bodyLimit?: number;
  /** Whether `X-Forwarded-*` headers may be believed. */
  readonly behindProxy?: boolean;
}
export interface Performed<Caller> {
  readonly endpoint: Endpoint;
  readonly params: Record<string, unknown>;
  readonly caller: Caller;
  readonly exchange: Exchange;
  /** Takes the file, where the endpoint's body is one. */
  readonly receive: Receive;
}
export type ContractHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: () => void,
) => void;

/**
 * Serves a contract: one handler for node:http and for Express (`app.use`). Answers everything below
 * its prefix, unknown paths and methods too; other paths go to `next`, where there is one.
 */
export function serveContract<Caller>(
  contract: Contract,
  service: Service<Caller>,
): ContractHandler {
  const router = routerOf(contract);
  const { prefix, behindProxy = false } = service;
  const respond = async (
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
  ) => {
    const handling: Handling<Caller> = { service, router, request, exchange, endpoint: undefined };
    let status: number;
    try {
      status = answer(response, exchange, await handle(handling));
    } catch (error) {
      if (!(error instanceof ApiError) && !(response.destroyed && isAbort(error)))
        service.onError(error, exchange);
      request.resume();
      status = refuse(response, exchange, error);
    }
    service.onAnswer?.(handling.endpoint, exchange, status);
  };
  return (request, response, next) => {
    const exchange = exchangeOf(request, response, behindProxy);
    if (next && !exchange.path.startsWith(`${prefix}/`)) next();
    else respond(request, response, exchange).catch((error) => service.onError(error, exchange));
  };
}

/** Work that gave up because the client left is no failure. */
const isAbort = (error: unknown) => error instanceof Error && error.name === 'AbortError';

interface Handling<Caller> {
  readonly service: Service<Caller>;
  readonly router: Router;
  readonly request: IncomingMessage;
  readonly exchange: Exchange;
  /** Known once path and method are. */
  endpoint: Endpoint | undefined;
}

/** The answer's body; undefined where there is none (OPTIONS). */
async function handle<Caller>(handling: Handling<Caller>): Promise<object | undefined> {
  const { service, router, request, exchange } = handling;
  const { prefix } = service;
  const below = exchange.path.startsWith(`${prefix}/`);
  const match = below ? router(exchange.path.slice(prefix.length)) : undefined;
  if (!match)
    throw new ApiError('NOT_FOUND', {
      message: `There is no ${exchange.path}; the paths of this API are listed at /api/docs`,
    });
  if (exchange.method === 'OPTIONS') {
    exchange.setHeader('allow', methodsOf(match.operations).join(', '));
    return undefined;
  }
  const kind = match.operations.get(exchange.method)?.body ?? 'form';
  const limit = service.bodyLimit ?? 1_048_576;
  // A file is left for who takes it, after asking who sends it.
  const isRead = hasBody(request) && kind !== 'file';
  const body = isRead ? await bodyFields(request, { limit, kind }) : undefined;
  const endpoint = operation(match.operations, exchange, body);
  handling.endpoint = endpoint;
  const caller = await service.admit(endpoint, exchange);
  const query = queryOf(request);
  const fields = body && query ? { ...query, ...body } : (body ?? query ?? {});
  const { params, ignored } = decodeParams(endpoint, { fields, path: match.path });
  const receive = receiveFrom(request);
  const result = await service.perform({ endpoint, params, caller, exchange, receive });
  const success = { result: 'success', msg: '', ...result };
  return ignored.length > 0 ? { ...success, ignored_parameters_unsupported: ignored } : success;
}

function queryOf({ url = '' }: IncomingMessage): Fields | undefined {
  const at = url.indexOf('?');
  return at === -1 ? undefined : urlEncodedFields(url.slice(at + 1));
}

/** A POST may say another method in its field `method`; HEAD is answered where GET is. */
function operation(operations: Operations, exchange: Exchange, body: Fields | undefined): Endpoint {
  let { method } = exchange;
  if (method === 'HEAD') method = 'GET';
  if (method === 'POST' && typeof body?.['method'] === 'string') {
    method = body['method'].toUpperCase();
    delete body['method'];
  }
  const endpoint = operations.get(method);
  if (endpoint) return endpoint;
  const allowed = methodsOf(operations);
  exchange.setHeader('allow', allowed.join(', '));
  throw new ApiError('METHOD_NOT_ALLOWED', {
    message: `Method not allowed: use ${[...operations.keys()].join(' or ')}`,
    data: { allowed_methods: [...operations.keys()] },
  });
}

const methodsOf = (operations: Operations) => [
  ...operations.keys(),
  ...(operations.has('GET') ? ['HEAD'] : []),
  'OPTIONS',
];
