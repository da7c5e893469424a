import type { AskOf, Contract, Endpoint, ResultOf } from '@bellhop/protocol';
import {
  ApiError,
  type DecodedText,
  decodeResponse,
  type ErrorCode,
  errors,
  parseJson,
  parseRetryAfter,
  splitRoute,
  stringifyJson,
} from '@bellhop/protocol/plain';

import type { CallableEndpoint } from './callable-endpoint.ts';
import { ConnectionFailed } from './connection-failed.ts';
import { type RetryPolicy, retry } from './retry.ts';

export interface ClientOptions {
  /** The server's address: `https://chat.example.com`. */
  readonly url: string;
  /** The prefix of every path. Default `/api/v1`. */
  readonly prefix?: string;
  /** HTTP Basic credentials: e-mail and API key, or ID and key of a server. Optional. */
  readonly email?: string;
  readonly apiKey?: string;
  /** Names the client to the server (`User-Agent`). */
  readonly userAgent?: string;
  /** Time limit of a response, in milliseconds. Default 90 s, enough for a long poll. */
  readonly timeoutMs?: number;
  /**
   * Repeats calls after rate limits, and a GET also after lost connections and failing servers.
   * Without it every error is thrown at once.
   */
  readonly retryPolicy?: RetryPolicy;
  readonly fetch?: typeof fetch;
}
export interface AskOptions {
  /** Ends the call and the waits between attempts; its reason is thrown. */
  readonly signal?: AbortSignal;
  /** Replaces the `retryPolicy` of the client. False throws every error at once. */
  readonly retryPolicy?: RetryPolicy | false;
  /** The file to upload, if the endpoint takes one. */
  readonly file?: File;
  /**
   * The header `Idempotency-Key`, if the endpoint takes it: a call with the key of an earlier one gets
   * the earlier answer. Calls with a key are repeated as a GET is.
   */
  readonly idempotencyKey?: string;
  /** The header `traceparent` (W3C Trace Context). */
  readonly traceparent?: string;
}
type Ask<E extends Endpoint> = (
  ...args: {} extends AskOf<E>
    ? [params?: AskOf<E>, options?: AskOptions]
    : [params: AskOf<E>, options?: AskOptions]
) => Promise<ResultOf<E>>;

export type ClientOf<C extends Contract> = {
  readonly [R in keyof C]: { readonly [N in keyof C[R]]: Ask<C[R][N]> };
};

/** Calls one endpoint, as a method of a client does. */
export const callerOf =
  (endpoint: CallableEndpoint, options: ClientOptions) =>
  (params: object = {}, { retryPolicy, ...rest }: AskOptions = {}): Promise<object> => {
    const chosen = retryPolicy ?? options.retryPolicy;
    const { signal, file, idempotencyKey, traceparent } = rest;
    const call = { params, signal, file, idempotencyKey, traceparent };
    if (!chosen) return ask(options, endpoint, call);
    const repeatable = endpoint.route.startsWith('GET ') || idempotencyKey !== undefined;
    return retry(() => ask(options, endpoint, call), { ...chosen, signal, repeatable });
  };

type EndpointsOf<E> = Readonly<Record<string, Readonly<Record<string, E>>>>;

/** A client with a method for each endpoint, which `callable` prepares for its calls. */
export function clientOf<C extends Contract, E>(
  endpoints: EndpointsOf<E>,
  callable: (endpoint: E) => CallableEndpoint,
  options: ClientOptions,
): ClientOf<C> {
  const resources = Object.entries(endpoints).map(([resource, operations]) => {
    const callers = Object.entries(operations).map(([name, endpoint]) => [
      name,
      callerOf(callable(endpoint), options),
    ]);
    return [resource, Object.fromEntries(callers)];
  });
  return Object.fromEntries(resources) as ClientOf<C>;
}

interface EndpointCall {
  readonly params: object;
  readonly signal: AbortSignal | undefined;
  readonly file: File | undefined;
  readonly idempotencyKey: string | undefined;
  readonly traceparent: string | undefined;
}

async function ask(
  options: ClientOptions,
  endpoint: CallableEndpoint,
  call: EndpointCall,
): Promise<object> {
  const { status, body, retryAfter } = await exchange(options, endpoint, call);
  const answer = envelope(body, status);
  if (answer.result === 'error' || status === 429) throw failure(answer, { status, retryAfter });
  const read = endpoint.read(answer);
  if (answer.result === 'success' && 'data' in read) return read.data;
  throw new ConnectionFailed(`The response to ${endpoint.route} is not as documented`, {
    status,
    cause: 'problem' in read ? read.problem : undefined,
    passing: false,
  });
}

async function exchange(
  options: ClientOptions,
  endpoint: CallableEndpoint,
  { params, signal, file, idempotencyKey, traceparent }: EndpointCall,
) {
  const [method, template] = splitRoute(endpoint.route);
  const { path, fields } = endpoint.encode(template, params);
  const inQuery = method === 'GET' || method === 'DELETE' || endpoint.body === 'file';
  const query = inQuery && fields.length > 0 ? `?${new URLSearchParams(fields).toString()}` : '';
  const url = `${options.url.replace(/\/+$/, '')}${options.prefix ?? '/api/v1'}${path}${query}`;
  const timeout = AbortSignal.timeout(options.timeoutMs ?? 90_000);
  const json = endpoint.body === 'json';
  try {
    const response = await (options.fetch ?? fetch)(url, {
      method,
      redirect: endpoint.redirects ? 'manual' : 'follow',
      headers: {
        'user-agent': options.userAgent ?? 'BellhopClient/0.1',
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        ...(traceparent === undefined ? {} : { traceparent }),
        ...(json ? { 'content-type': 'application/json' } : {}),
        ...(options.email === undefined ? {} : { authorization: basic(options) }),
      },
      ...(inQuery && file ? { body: withFile(new FormData(), file) } : {}),
      ...(inQuery ? {} : { body: json ? stringifyJson(params) : formOf(fields, params, file) }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    return {
      status: response.status,
      body: await decodeResponse(response),
      retryAfter: parseRetryAfter(response.headers.get('retry-after'), Date.now()),
    };
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw new ConnectionFailed(`No answer from ${options.url}`, { cause });
  }
}

function withFile(form: FormData, file: File): FormData {
  form.set('file', file);
  return form;
}

/** A URL-encoded form, or a multipart one if a value is a file or a file is beside the fields. */
function formOf(
  fields: readonly [name: string, text: string][],
  params: object,
  file: File | undefined,
) {
  const given = new Map<string, unknown>(Object.entries(params));
  if (!file && !fields.some(([name]) => given.get(name) instanceof Blob))
    return new URLSearchParams([...fields]);
  const form = new FormData();
  for (const [name, text] of fields) {
    const value = given.get(name);
    form.append(name, value instanceof Blob ? value : text);
  }
  return file ? withFile(form, file) : form;
}

/** Base64 of UTF-8 without Node's Buffer, which browsers lack. */
function basic({ email = '', apiKey = '' }: ClientOptions): string {
  const bytes = new TextEncoder().encode(`${email}:${apiKey}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

type Envelope = { readonly result?: unknown; readonly msg?: unknown; readonly code?: unknown };

function envelope({ text, fault }: DecodedText, status: number): Envelope {
  let answer: unknown;
  try {
    answer = parseJson(text);
  } catch {
    // A text that is not JSON, such as the error page of a proxy, is thrown below.
  }
  if (typeof answer === 'object' && answer !== null) {
    if (fault === undefined) return answer;
    const message = `The server answered ${status}, and the answer ${fault}`;
    throw new ConnectionFailed(message, { status, passing: false });
  }
  // A rate limit of a proxy, which need not send JSON: the request has not reached the server.
  if (status === 429) return {};
  throw new ConnectionFailed(`The server answered ${status} with a body that is not JSON`, {
    status,
  });
}

/** An unknown code is kept in `data.code`; the error has the nearest known code. */
function failure(answer: Envelope, { status, retryAfter }: ErrorResponse): ApiError {
  const { result: _result, msg, code, ...rest } = answer;
  const message = typeof msg === 'string' ? msg : `The server answered ${status}`;
  const data = { ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }), ...rest };
  if (typeof code === 'string' && Object.hasOwn(errors, code))
    return new ApiError(code as ErrorCode, { message, data, status });
  return new ApiError(nearestCode(status), {
    message,
    data: code === undefined ? data : { ...data, code },
    status,
  });
}

interface ErrorResponse {
  readonly status: number;
  readonly retryAfter: number | undefined;
}

function nearestCode(status: number): ErrorCode {
  if (status === 429) return 'RATE_LIMIT_HIT';
  if (status === 405) return 'METHOD_NOT_ALLOWED';
  return status >= 500 ? 'INTERNAL_ERROR' : 'BAD_REQUEST';
}
