import {
  type AddressRateLimit,
  basicCredentials,
  type Exchange,
  rateLimitByAddress,
} from '@bellhop/http';
import { type Batcher, batchedReads } from '@bellhop/postgres';
import { ApiError, bouncer, type Endpoint } from '@bellhop/protocol/bouncer';
import type { Kysely } from 'kysely';
import { z } from 'zod';

import type { QuotaKeeper } from '../quotas/quota-keeper.ts';
import type { BouncerTables } from '../storage/tables.ts';
import { type CallingServer, callingServers, type RemoteServer } from './queries.ts';
import { hashOf } from './secret-hash.ts';
import { keyOf } from './server-key.ts';

const Uuid = z.uuid();
/** Compared if the server is unknown, so that the answer takes as long. */
const unknownServer = { key_hash: hashOf(''), former_key_hash: null, former_key_until: null };

export interface Admission {
  readonly kysely: Kysely<BouncerTables>;
  readonly quotas: QuotaKeeper;
  /** UNIX milliseconds. */
  readonly now: () => number;
}

/**
 * Authenticates the calling chat server by HTTP Basic (UUID and key) and counts the call. Throws
 * UNAUTHORIZED for any wrong credentials. Failures, and operations open to anyone, are counted by
 * address.
 */
export function admission({ kysely, quotas, now }: Admission) {
  const perAddress = rateLimitByAddress([{ count: 300, seconds: 60 }]);
  // Each makes the bouncer ask a host that the caller names.
  const verificationsPerAddress = rateLimitByAddress([{ count: 30, seconds: 86_400 }]);
  const servers = batchedReads((uuids: readonly string[]) => callingServers(kysely, uuids));
  return async (endpoint: Endpoint, exchange: Exchange): Promise<RemoteServer | undefined> => {
    if (endpoint.access === 'anyone') {
      await perAddress(exchange);
      if (endpoint === bouncer.servers.verifyChallenge) await verificationsPerAddress(exchange);
      return undefined;
    }
    const server = await authenticated(servers, exchange, now);
    if (!server) return rejectCaller(perAddress, exchange);
    requireActive(server);
    await quotas.spend(server, { rates: ['requests_per_minute'], count: 1 }, exchange);
    return server;
  };
}

async function authenticated(
  servers: Batcher<string, CallingServer | undefined>,
  exchange: Exchange,
  now: () => number,
): Promise<CallingServer | undefined> {
  const credentials = credentialsOf(exchange);
  if (!credentials) return undefined;
  const isUuid = Uuid.safeParse(credentials.name).success;
  const server = isUuid ? await servers.add(credentials.name) : undefined;
  const isKeyRight = keyOf(server ?? unknownServer, credentials.secret, now()) !== undefined;
  return server && isKeyRight ? server : undefined;
}

/** Throws UNAUTHORIZED, a code that chat servers know, with the reason. */
function requireActive(server: CallingServer): void {
  const problem = server.deactivated ? 'was deactivated' : server.is_banned ? 'is banned' : '';
  if (problem !== '')
    throw new ApiError('UNAUTHORIZED', {
      message: `The chat server ${problem}: ask the operator of the push bouncer`,
    });
}

/** Undefined for a request without readable credentials. */
export function credentialsOf(exchange: Exchange) {
  try {
    return basicCredentials(exchange);
  } catch {
    return undefined;
  }
}

async function rejectCaller(perAddress: AddressRateLimit, exchange: Exchange): Promise<never> {
  await perAddress(exchange);
  throw new ApiError('UNAUTHORIZED', {
    message: 'The chat server is not registered with the push bouncer, or its ID or key is wrong',
  });
}
