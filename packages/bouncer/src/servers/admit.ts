import { basicCredentials, type Exchange, type RateLimit, rateLimit } from '@bellhop/http';
import { ApiError, bouncer, type Endpoint } from '@bellhop/protocol';
import type { Kysely } from 'kysely';
import { z } from 'zod';

import type { BouncerTables } from '../tables.ts';
import { type RemoteServer, serverByUuid } from './queries.ts';
import { hashOf, matches } from './secret-hash.ts';

const Uuid = z.uuid();
/** Compared if the server is unknown, so that the answer takes as long. */
const unknownServerHash = hashOf('');

export interface Admission {
  readonly kysely: Kysely<BouncerTables>;
  /** Requests per minute allowed to one chat server. */
  readonly perMinute: number;
}

/**
 * Authenticates the calling chat server by HTTP Basic (UUID and key) and counts the call. Throws
 * UNAUTHORIZED for any wrong credentials. Failures, and operations open to anyone, are counted by
 * address.
 */
export function admission({ kysely, perMinute }: Admission) {
  const perServer = rateLimit([{ count: perMinute, seconds: 60 }]);
  const perAddress = rateLimit([{ count: 300, seconds: 60 }]);
  // Each makes the bouncer ask a host that the caller names.
  const verificationsPerAddress = rateLimit([{ count: 30, seconds: 86_400 }]);
  return async (endpoint: Endpoint, exchange: Exchange): Promise<RemoteServer | undefined> => {
    if (endpoint.access === 'anyone') {
      await perAddress(exchange.ip, exchange);
      if (endpoint === bouncer.servers.verifyChallenge)
        await verificationsPerAddress(exchange.ip, exchange);
      return undefined;
    }
    const server = await authenticated(kysely, exchange);
    if (!server) return rejectCaller(perAddress, exchange);
    await perServer(server.server_uuid, exchange);
    return server;
  };
}

async function authenticated(
  kysely: Kysely<BouncerTables>,
  exchange: Exchange,
): Promise<RemoteServer | undefined> {
  const credentials = credentialsOf(exchange);
  if (!credentials) return undefined;
  const isUuid = Uuid.safeParse(credentials.name).success;
  const server = isUuid ? await serverByUuid(kysely, credentials.name) : undefined;
  const isKeyRight = matches(credentials.secret, server?.key_hash ?? unknownServerHash);
  return server && isKeyRight && !server.deactivated ? server : undefined;
}

function credentialsOf(exchange: Exchange) {
  try {
    return basicCredentials(exchange);
  } catch {
    return undefined;
  }
}

async function rejectCaller(perAddress: RateLimit, exchange: Exchange): Promise<never> {
  await perAddress(exchange.ip, exchange);
  throw new ApiError('UNAUTHORIZED', {
    message: 'The chat server is not registered with the push bouncer, or its ID or key is wrong',
  });
}
