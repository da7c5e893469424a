import type { RequestListener } from 'node:http';
import { inspect } from 'node:util';

import { basicCredentials, type Exchange, serveContract } from '@bellhop/http';
import {
  ApiError,
  api,
  badRequest,
  type Endpoint,
  isPublicClient,
  publicAnswer,
} from '@bellhop/protocol';

import type { Account } from './account.ts';
import type { Call } from './call.ts';
import { resources } from './resources.ts';
import { accountOf, type World } from './world.ts';

/** A request with valid parameters and credentials. */
export interface ApiCall {
  /** A route of the contract: `PATCH /messages/{message_id}`. */
  readonly route: string;
  /** The e-mail address of the caller; undefined for an anonymous request. */
  readonly email: string | undefined;
  /** Decoded, with default values. */
  readonly params: Readonly<Record<string, unknown>>;
}
interface ServeOptions {
  /** Ends polls when aborted. */
  readonly signal: AbortSignal;
  readonly onCall: (call: ApiCall) => void;
  /** Called after each successful request. */
  readonly onDone: () => void;
}
type AnyHandler = (call: Call<unknown>) => object | Promise<object>;

/** Serves the API over HTTP. Endpoints without a handler are answered with NOT_FOUND. */
export function serveWorld(
  world: World,
  { signal, onCall, onDone }: ServeOptions,
): RequestListener {
  const handlers = handlersByEndpoint();
  return serveContract<Account | undefined>(api, {
    prefix: '/api/v1',
    admit: async (endpoint, exchange) => admit(world, endpoint, exchange),
    async perform({ endpoint, params, caller, exchange, receive }) {
      onCall({ route: endpoint.route, email: caller?.email, params });
      const handler = handlers.get(endpoint);
      if (!handler)
        throw new ApiError('NOT_FOUND', {
          message: `The fake server cannot do ${endpoint.route}`,
        });
      const client = clientName(exchange.header('user-agent'));
      const result = await handler({
        params,
        world,
        receive,
        get user() {
          if (!caller) throw new ApiError('UNAUTHORIZED');
          return caller;
        },
        client,
        signal: AbortSignal.any([exchange.signal(), signal]),
      });
      onDone();
      const named = isPublicClient(client) ? publicAnswer(endpoint.route) : undefined;
      return named ? named(result) : result;
    },
    onError(error) {
      process.stderr.write(`fake server: ${inspect(error)}\n`);
    },
  });
}

function handlersByEndpoint(): ReadonlyMap<Endpoint, AnyHandler> {
  const byResource = resources as Readonly<Record<string, Readonly<Record<string, AnyHandler>>>>;
  return new Map(
    Object.entries(api).flatMap(([resource, endpoints]) =>
      Object.entries(endpoints).flatMap(([operation, endpoint]: [string, Endpoint]) => {
        const handler = byResource[resource]?.[operation];
        return handler ? [[endpoint, handler] as const] : [];
      }),
    ),
  );
}

function admit(world: World, { access }: Endpoint, exchange: Exchange): Account | undefined {
  const credentials = basicCredentials(exchange);
  if (!credentials) {
    if (access !== 'anyone' && access !== 'optional') throw new ApiError('UNAUTHORIZED');
    return undefined;
  }
  const account = accountOf(world, credentials.name);
  if (account?.api_key !== credentials.secret)
    throw new ApiError('UNAUTHORIZED', { message: 'Invalid API key' });
  if (access === 'bot' && !account.bot) throw badRequest('This endpoint is for bots only.');
  if (access === 'human' && account.bot)
    throw badRequest('This endpoint does not accept bot requests.');
  return account;
}

/** The first product of a User-Agent: PythonBot of `PythonBot/1.0 (Linux)`. */
const clientName = (userAgent: string | undefined) =>
  /^[^/ (]{1,30}/.exec(userAgent ?? '')?.[0] ?? 'Unspecified';
