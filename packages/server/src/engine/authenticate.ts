import { basicCredentials, type Exchange, type RateLimit } from '@bellhop/http';
import { ApiError, type Endpoint, foldCase, isPublicClient } from '@bellhop/protocol';

import type { AddressLimit, LookUp } from './address-limit.ts';
import type { Realms } from './app.ts';
import type { Caller, Realm, User } from './caller.ts';
import { isOfConsole } from './console-request.ts';
import { requireAccess } from './require-access.ts';

interface AuthenticationOptions {
  readonly realms: Pick<Realms, 'atHost'>;
  /** Names of clients that were made for public servers, beside those that are known by their name. */
  readonly publicClients: readonly string[];
  /** Finds the user with this API key, deactivated users included. */
  readonly userByKey: (realm: Realm, key: string, lookUp: LookUp) => Promise<User | undefined>;
  /** Finds the user of a call of the console. Throws UNAUTHORIZED. */
  readonly userOfConsole: (realm: Realm, exchange: Exchange, lookUp: LookUp) => Promise<User>;
  /** Finds the user with this name, if the key is theirs. */
  readonly userByNameAndKey: (
    realm: Realm,
    credentials: Credentials,
    lookUp: LookUp,
  ) => Promise<User | undefined>;
  readonly userLimit: RateLimit;
  readonly addressLimit: AddressLimit;
  /**
   * Further look-ups of an address that has used up its own, of names and of sessions: somebody else
   * behind the same address may have used them up.
   */
  readonly sharedAddressLimit: AddressLimit;
}

interface Credentials {
  readonly name: string;
  readonly secret: string;
}

const API_KEY = /^[A-Za-z0-9]{32}$/;
/** The only endpoint for incoming webhook bots. */
const INCOMING_WEBHOOK_ROUTES = new Set(['POST /messages']);
const INCOMING_WEBHOOK = 2;
/** Clients ask for the name of the realm before they show that it is deactivated. */
const ROUTES_OF_DEACTIVATED_REALMS = new Set(['GET /server_settings']);

/**
 * Finds the caller of a request. Throws if the contract does not allow the caller or a rate limit
 * is hit.
 */
export function authenticate({
  realms,
  publicClients,
  userByKey,
  userOfConsole,
  userByNameAndKey,
  userLimit,
  addressLimit,
  sharedAddressLimit,
}: AuthenticationOptions) {
  const userWithKey = async (
    { realm, exchange, lookUp }: { realm: Realm; exchange: Exchange; lookUp: LookUp },
    credentials: Credentials,
  ): Promise<User> => {
    const { name, secret } = credentials;
    const isKey = API_KEY.test(secret);
    const user = isKey
      ? await orShared(
          () => userByKey(realm, secret, lookUp),
          () => userByNameAndKey(realm, credentials, sharedAddressLimit.lookUpFor(exchange)),
        )
      : undefined;
    if (user && foldCase(user.delivery_email) === foldCase(name)) return user;
    // A key that was looked up in vain is counted already.
    if (user || !isKey) await addressLimit.count(exchange);
    // As public servers answer it; their clients and tests look for this code.
    throw new ApiError('UNAUTHORIZED', { message: 'Invalid API key' });
  };
  const named = new Set(publicClients.map(foldCase));
  return async (endpoint: Endpoint, exchange: Exchange): Promise<Caller> => {
    const lookUp = addressLimit.lookUpFor(exchange);
    const realm = await realms.atHost(exchange.host, lookUp);
    if (!realm.is_active && !ROUTES_OF_DEACTIVATED_REALMS.has(endpoint.route)) {
      await addressLimit.count(exchange);
      throw new ApiError('REALM_DEACTIVATED');
    }
    const client = clientName(exchange.header('user-agent'));
    const { access } = endpoint;
    const isConsole = access !== 'anyone' && isOfConsole(exchange);
    // The console may run in a public client, such as ZulipElectron, and is none itself.
    const reads_public_names =
      !isConsole && (isPublicClient(client) || named.has(foldCase(client)));
    const credentials = access === 'anyone' ? undefined : basicCredentials(exchange);
    if (!credentials && !isConsole) {
      await addressLimit.count(exchange);
      if (access !== 'anyone' && access !== 'optional') throw new ApiError('UNAUTHORIZED');
      return { realm, user: null, client, reads_public_names };
    }
    const user = credentials
      ? await userWithKey({ realm, exchange, lookUp }, credentials)
      : await orShared(
          () => userOfConsole(realm, exchange, lookUp),
          () => userOfConsole(realm, exchange, sharedAddressLimit.lookUpFor(exchange)),
        );
    await userLimit(limitKey(endpoint, user), exchange);
    if (!user.is_active) throw new ApiError('USER_DEACTIVATED');
    if (user.bot_type === INCOMING_WEBHOOK && !INCOMING_WEBHOOK_ROUTES.has(endpoint.route))
      throw new ApiError('UNAUTHORIZED', {
        message: 'This API is not available to incoming webhook bots.',
      });
    requireAccess(endpoint, user);
    return { realm, user, client, reads_public_names };
  };
}

/**
 * Finds a user; if the limit of their address is used up, by `shared`. A user who is not found gets the
 * refusal of the limit.
 */
async function orShared<T extends User | undefined>(
  find: () => Promise<T>,
  shared: () => Promise<T>,
): Promise<T> {
  try {
    return await find();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'RATE_LIMIT_HIT')) throw error;
    const found = await shared();
    if (found === undefined) throw error;
    return found;
  }
}

/** Polls have a rate limit of their own, so that waiting for events uses up no other calls. */
const limitKey = ({ route }: Endpoint, { id }: User) =>
  route === 'GET /events' ? `events:${id}` : `user:${id}`;

/** The name of the client: `ZulipPython` for `ZulipPython/0.9 (Linux)`. */
function clientName(userAgent: string | undefined): string {
  const product = /^[^/\s(]+/.exec(userAgent?.trim() ?? '')?.[0];
  return product ? product.slice(0, 30) : 'Unspecified';
}
