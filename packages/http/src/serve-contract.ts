import type { IncomingMessage, ServerResponse } from 'node:http';

import { ApiError, type Contract, decodeParams, type Endpoint } from '@bellhop/protocol/contract';

import { bodiesInFlight, type BodiesInFlight, type HeldBody } from './bodies-in-flight.ts';
import { refuseCrossSite } from './cross-site.ts';
import { type Exchange, exchangeOf, idempotencyKeyOf } from './exchange.ts';
import { hasBody } from './limit-body-time.ts';
import { type Fields, isMultipart, readBody, urlEncodedFields } from './read-fields.ts';
import { fileForm, type Receive } from './receive-file.ts';
import { type Operations, type Router, routerOf } from './routes.ts';
import { sendError, sendSuccess } from './send-response.ts';

export interface Service<Caller> {
  /** Prefix of every path: `/api/v1`. */
  readonly prefix: string;
  /** Returns the caller and counts the call against its rate limit; before parameters are read. */
  readonly admit: (endpoint: Endpoint, exchange: Exchange) => Promise<Caller>;
  /** Runs the operation. Returns the fields of the response beside the envelope. */
  readonly perform: (call: ContractCall<Caller>) => Promise<object>;
  /** Called with every error that is no ApiError. The client gets INTERNAL_ERROR without detail. */
  readonly onError: (error: unknown, exchange: Exchange) => void;
  /** Turns an error into the ApiError for the client. Default: none is turned. */
  readonly toApiError?: (error: unknown, exchange: Exchange) => unknown;
  /** Called after every response, for logs and metrics. */
  readonly onAnswer?: (endpoint: Endpoint | undefined, exchange: Exchange, status: number) => void;
  /** Maximum request body in bytes; default 1 MiB. */
  readonly bodyLimit?: number;
  /** Counts the bytes of bodies in flight. Default: those of the process. */
  readonly bodies?: BodiesInFlight;
  /** Whether to trust `X-Forwarded-*` headers. */
  readonly behindProxy?: boolean;
  /**
   * The origin of the service's own pages, such as `https://chat.example.com`, where it may differ
   * from the Host header. Pages of other origins may change nothing.
   */
  readonly ownOrigin?: (exchange: Exchange) => Promise<string | undefined>;
}
export interface ContractCall<Caller> {
  readonly endpoint: Endpoint;
  readonly params: Record<string, unknown>;
  readonly caller: Caller;
  readonly exchange: Exchange;
  /** Receives the file of an endpoint whose body is a file. */
  readonly receive: Receive;
  /** The header `Idempotency-Key`, if the endpoint takes it and the client sent it. */
  readonly idempotencyKey: string | undefined;
  /** The file beside the fields of a form, if the endpoint has a `fileLimit` and the client sent one. */
  readonly file: Uint8Array | undefined;
}
export type ContractHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: () => void,
) => void;

/**
 * Serves a contract: a handler for node:http and for Express (`app.use`). Responds to every path below
 * the prefix, also to unknown paths and methods. Calls `next`, if given, for other paths.
 */
export function serveContract<Caller>(
  contract: Contract,
  service: Service<Caller>,
): ContractHandler {
  const router = routerOf(contract);
  const { prefix, behindProxy = false, bodies = bodiesInFlight } = service;
  const respond = async (
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
  ) => {
    const held = bodies.of(exchange.ip);
    const handling: Handling<Caller> = {
      service,
      router,
      request,
      exchange,
      held,
      endpoint: undefined,
    };
    let status: number;
    try {
      const body = await handle(handling);
      status = sendSuccess(response, exchange, {
        body,
        redirects: handling.endpoint?.redirects ?? false,
      });
    } catch (error) {
      if (!(error instanceof ApiError) && !(response.destroyed && isAbort(error)))
        service.onError(error, exchange);
      request.resume();
      status = sendError(response, exchange, service.toApiError?.(error, exchange) ?? error);
    } finally {
      held.release();
    }
    service.onAnswer?.(handling.endpoint, exchange, status);
  };
  return (request, response, next) => {
    const exchange = exchangeOf(request, response, behindProxy);
    if (next && !exchange.path.startsWith(`${prefix}/`)) next();
    else respond(request, response, exchange).catch((error) => service.onError(error, exchange));
  };
}

/** Operations reject with an AbortError when the client disconnects. */
const isAbort = (error: unknown) => error instanceof Error && error.name === 'AbortError';

interface Handling<Caller> {
  readonly service: Service<Caller>;
  readonly router: Router;
  readonly request: IncomingMessage;
  readonly exchange: Exchange;
  readonly held: HeldBody;
  /** Undefined until path and method are known. */
  endpoint: Endpoint | undefined;
}

/** The body of a success; undefined for OPTIONS. */
async function handle<Caller>(handling: Handling<Caller>): Promise<object | undefined> {
  const { service, router, request, exchange } = handling;
  const { prefix } = service;
  const below = exchange.path.startsWith(`${prefix}/`);
  const match = below ? router(exchange.path.slice(prefix.length), request.url ?? '') : undefined;
  if (!match)
    throw new ApiError('NOT_FOUND', {
      message: `The API has no path ${exchange.path}; /api/docs lists all paths`,
    });
  if (exchange.method === 'OPTIONS') {
    exchange.setHeader('allow', methodsOf(match.operations).join(', '));
    return undefined;
  }
  await refuseCrossSite(exchange, service.ownOrigin ?? noOrigin);
  const { endpoint, caller, body, file } = await admitted(handling, match.operations);
  const query = queryOf(request);
  const fields = body && query ? { ...query, ...body } : (body ?? query ?? {});
  const { params, ignored: unknown } = decodeParams(endpoint, { fields, path: match.path });
  const { receive, fieldNames } = fileForm(request);
  const result = service.perform({
    endpoint,
    params,
    caller,
    exchange,
    receive,
    file,
    idempotencyKey: idempotencyKeyOf(endpoint, exchange),
  });
  // Not awaited: a poll takes a minute, and this function would keep the parameters in memory.
  return result.then(successWithout(unknown, fieldNames));
}

const successWithout =
  (unknown: readonly string[], fieldNames: readonly string[]) => (result: object) => {
    const success = { result: 'success', msg: '', ...result };
    const ignored = [...new Set([...unknown, ...fieldNames])];
    return ignored.length > 0 ? { ...success, ignored_parameters_unsupported: ignored } : success;
  };

/**
 * Admits the caller and reads the body. Where a form may have a file, the caller is admitted first:
 * only they may send so large a body. Such a form cannot name another method.
 */
async function admitted<Caller>(handling: Handling<Caller>, operations: Operations) {
  const { service, request, exchange, held } = handling;
  const named = operations.get(exchange.method);
  const kind = named?.body ?? 'form';
  const limit = service.bodyLimit ?? 1_048_576;
  if (named?.fileLimit !== undefined && isMultipart(request)) {
    handling.endpoint = named;
    const caller = await service.admit(named, exchange);
    const { fileLimit } = named;
    const { fields, file } = await readBody(request, { limit, kind: 'form', fileLimit, held });
    return { endpoint: named, caller, body: fields, file };
  }
  // The file of an upload is read by `receive`, after `admit`.
  const isRead = hasBody(request) && kind !== 'file';
  const body = isRead
    ? (await readBody(request, { limit, kind, fileLimit: undefined, held })).fields
    : undefined;
  const endpoint = operation(operations, exchange, body);
  handling.endpoint = endpoint;
  return { endpoint, caller: await service.admit(endpoint, exchange), body, file: undefined };
}

const noOrigin = async () => undefined;

function queryOf({ url = '' }: IncomingMessage): Fields | undefined {
  const at = url.indexOf('?');
  return at === -1 ? undefined : urlEncodedFields(url.slice(at + 1));
}

/** A POST may name another method in its field `method`. HEAD counts as GET. */
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
