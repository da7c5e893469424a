import type { RequestListener } from 'node:http';
import { inspect } from 'node:util';

import { basicCredentials, type Exchange, serveContract } from '@bellhop/http';
import { ApiError, api, badRequest, type Endpoint } from '@bellhop/protocol';

import type { Account } from './account.ts';
import type { Call } from './call.ts';
import { resources } from './resources.ts';
import { accountOf, type World } from './world.ts';

/** A request that was understood and allowed, whatever came of it. */
export interface ApiCall {
  /** As in the contract: `PATCH /messages/{message_id}`. */
  readonly route: string;
  /** The address of who asked; undefined for a stranger. */
  readonly email: string | undefined;
  /** Decoded, with defaults. */
  readonly params: Readonly<Record<string, unknown>>;
}
interface Serving {
  /** Ends polls. */
  readonly signal: AbortSignal;
  readonly onCall: (call: ApiCall) => void;
  /** Told when a request has been done. */
  readonly onDone: () => void;
}
type AnyHandler = (call: Call<unknown>) => object | Promise<object>;

/** The API of a world over HTTP. What it cannot do is answered NOT_FOUND, saying so. */
export function serveWorld(world: World, { signal, onCall, onDone }: Serving): RequestListener {
  const handlers = handlersByEndpoint();
  return serveContract<Account | undefined>(api, {
    prefix: '/api/v1',
    admit: async (endpoint, exchange) => admit(world, endpoint, exchange),
    async perform({ endpoint, params, caller, exchange }) {
      onCall({ route: endpoint.route, email: caller?.email, params });
      const handler = handlers.get(endpoint);
      if (!handler)
        throw new ApiError('NOT_FOUND', {
          message: `The fake server cannot do ${endpoint.route}`,
        });
      const result = await handler({
        params,
        world,
        get user() {
          if (!caller) throw new ApiError('UNAUTHORIZED');
          return caller;
        },
        client: clientName(exchange.header('user-agent')),
        signal: AbortSignal.any([exchange.signal(), signal]),
      });
      onDone();
      return result;
    },
    onError(error) {
      process.stderr.write(`fake server: ${inspect(error)}\n`);
    },
  });
}

function handlersByEndpoint(): ReadonlyMap<Endpoint, AnyHandler> {
  const implemented = resources as Readonly<Record<string, Readonly<Record<string, AnyHandler>>>>;
  return new Map(
    Object.entries(api).flatMap(([resource, endpoints]) =>
      Object.entries(endpoints).flatMap(([operation, endpoint]: [string, Endpoint]) => {
        const handler = implemented[resource]?.[operation];
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
  if (account?.api_key !== credentials.secret) throw new ApiError('INVALID_API_KEY');
  if (access === 'bot' && !account.bot) throw badRequest('This endpoint is for bots only.');
  if (access === 'human' && account.bot)
    throw badRequest('This endpoint does not accept bot requests.');
  return account;
}

/** The leading product of the User-Agent: `PythonBot/1.0 (Linux)` is PythonBot. */
const clientName = (userAgent: string | undefined) =>
  /^[^/ (]{1,30}/.exec(userAgent ?? '')?.[0] ?? 'Unspecified';
