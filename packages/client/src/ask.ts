import {
  ApiError,
  type AskOf,
  type Contract,
  encodeParams,
  type Endpoint,
  type ErrorCode,
  errors,
  parseJson,
  type ResultOf,
  splitRoute,
  stringifyJson,
} from '@bellhop/protocol';

export interface ClientOptions {
  /** The server's address: `https://chat.example.com`. */
  readonly url: string;
  /** What every path begins with; `/api/v1` unless said. */
  readonly prefix?: string;
  /** Who asks, by HTTP Basic: e-mail and API key, or a server's ID and key. Left out: nobody. */
  readonly email?: string;
  readonly apiKey?: string;
  /** Names the client to the server (`User-Agent`). */
  readonly userAgent?: string;
  /** Longest wait for an answer, in milliseconds; 90 s, enough for a long poll. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}
export interface AskOptions {
  readonly signal?: AbortSignal;
}
type Ask<E extends Endpoint> = (
  ...args: {} extends AskOf<E>
    ? [params?: AskOf<E>, options?: AskOptions]
    : [params: AskOf<E>, options?: AskOptions]
) => Promise<ResultOf<E>>;

export type ClientOf<C extends Contract> = {
  readonly [R in keyof C]: { readonly [N in keyof C[R]]: Ask<C[R][N]> };
};

interface FailedConnection {
  readonly status?: number;
  readonly cause?: unknown;
  readonly passing?: boolean;
}

/** The server could not be reached, did not answer in time, or did not speak the protocol. */
export class ConnectionFailed extends Error {
  /** The HTTP status, where something answered. */
  readonly status: number | undefined;
  /** Whether asking again later may help: not where the answer was of an undocumented shape. */
  readonly passing: boolean;
  constructor(message: string, options: FailedConnection = {}) {
    super(message, { cause: options.cause });
    this.name = 'ConnectionFailed';
    this.status = options.status;
    this.passing = options.passing ?? true;
  }
}

/**
 * A client of any contract: `client.messages.send({ ... })`. Answers are parsed by the contract;
 * documented errors are thrown as ApiError, everything else as ConnectionFailed.
 */
export function createClientFor<C extends Contract>(
  contract: C,
  options: ClientOptions,
): ClientOf<C> {
  const resources = Object.entries(contract).map(([resource, endpoints]) => [
    resource,
    Object.fromEntries(
      Object.entries(endpoints).map(([operation, endpoint]) => [
        operation,
        (params: object = {}, { signal }: AskOptions = {}) =>
          ask(options, endpoint, { params, signal }),
      ]),
    ),
  ]);
  return Object.fromEntries(resources) as ClientOf<C>;
}

interface Question {
  readonly params: object;
  readonly signal: AbortSignal | undefined;
}

async function ask(
  options: ClientOptions,
  endpoint: Endpoint,
  question: Question,
): Promise<object> {
  const { status, text } = await exchange(options, endpoint, question);
  const answer = envelope(text, status);
  if (answer.result === 'error') throw failure(answer, status);
  const parsed = endpoint.result.safeParse(answer);
  if (answer.result === 'success' && parsed.success) return parsed.data;
  throw new ConnectionFailed(`The answer to ${endpoint.route} is not as documented`, {
    status,
    cause: parsed.error,
    passing: false,
  });
}

async function exchange(options: ClientOptions, endpoint: Endpoint, { params, signal }: Question) {
  const [method, template] = splitRoute(endpoint.route);
  const { path, fields } = encodeParams(endpoint, template, params as AskOf<Endpoint>);
  const inQuery = method === 'GET' || method === 'DELETE';
  const query = inQuery && fields.length > 0 ? `?${new URLSearchParams(fields).toString()}` : '';
  const url = `${options.url.replace(/\/+$/, '')}${options.prefix ?? '/api/v1'}${path}${query}`;
  const timeout = AbortSignal.timeout(options.timeoutMs ?? 90_000);
  const json = endpoint.body === 'json';
  try {
    const response = await (options.fetch ?? fetch)(url, {
      method,
      headers: {
        'user-agent': options.userAgent ?? 'BellhopClient/0.1',
        ...(json ? { 'content-type': 'application/json' } : {}),
        ...(options.email === undefined ? {} : { authorization: basic(options) }),
      },
      ...(inQuery ? {} : { body: json ? stringifyJson(params) : new URLSearchParams(fields) }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    return { status: response.status, text: await response.text() };
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw new ConnectionFailed(`No answer from ${options.url}`, { cause });
  }
}

/** Base64 of UTF-8, without Node's Buffer: this runs in browsers too. */
function basic({ email = '', apiKey = '' }: ClientOptions): string {
  const bytes = new TextEncoder().encode(`${email}:${apiKey}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}

type Envelope = { readonly result?: unknown; readonly msg?: unknown; readonly code?: unknown };

function envelope(text: string, status: number): Envelope {
  try {
    const answer = parseJson(text);
    if (typeof answer === 'object' && answer !== null) return answer;
  } catch {
    // Told below: a proxy's page is not the protocol.
  }
  throw new ConnectionFailed(`The server answered ${status} with something that is not JSON`, {
    status,
  });
}

/** A code this client does not know is kept in `data.code`; the nearest known one stands for it. */
function failure({ result: _result, msg, code, ...data }: Envelope, status: number): ApiError {
  const message = typeof msg === 'string' ? msg : `The server answered ${status}`;
  if (typeof code === 'string' && Object.hasOwn(errors, code))
    return new ApiError(code as ErrorCode, { message, data, status });
  const known =
    status >= 500 ? 'INTERNAL_ERROR' : status === 405 ? 'METHOD_NOT_ALLOWED' : 'BAD_REQUEST';
  return new ApiError(known, {
    message,
    data: code === undefined ? data : { ...data, code },
    status,
  });
}
