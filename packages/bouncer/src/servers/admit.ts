import { basicCredentials, type Exchange, type RateLimit, rateLimit } from '@bellhop/http';
import { ApiError, type Endpoint } from '@bellhop/protocol';
import type { Kysely } from 'kysely';
import { z } from 'zod';

import type { BouncerTables } from '../tables.ts';
import { type RemoteServer, serverByUuid } from './queries.ts';
import { hashOf, matches } from './secret-hash.ts';

const Uuid = z.uuid();
/** Compared with where there is no server, so that it takes as long. */
const nobody = hashOf('');

export interface Admission {
  readonly kysely: Kysely<BouncerTables>;
  /** Requests per minute of one server. */
  readonly perMinute: number;
}

/**
 * Says which chat server calls, by HTTP Basic (its UUID and key), and counts the call. Whatever is
 * wrong with the credentials, the answer is UNAUTHORIZED. Operations open to anyone are counted by
 * address, and so are failures.
 */
export function admission({ kysely, perMinute }: Admission) {
  const perServer = rateLimit([{ count: perMinute, seconds: 60 }]);
  const perAddress = rateLimit([{ count: 300, seconds: 60 }]);
  return async (endpoint: Endpoint, exchange: Exchange): Promise<RemoteServer | undefined> => {
    if (endpoint.access === 'anyone') {
      await perAddress(exchange.ip, exchange);
      return undefined;
    }
    const server = await authenticated(kysely, exchange);
    if (!server) return refuse(perAddress, exchange);
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
  const known = Uuid.safeParse(credentials.name).success;
  const server = known ? await serverByUuid(kysely, credentials.name) : undefined;
  const right = matches(credentials.secret, server?.key_hash ?? nobody);
  return server && right && !server.deactivated ? server : undefined;
}

function credentialsOf(exchange: Exchange) {
  try {
    return basicCredentials(exchange);
  } catch {
    return undefined;
  }
}

async function refuse(perAddress: RateLimit, exchange: Exchange): Promise<never> {
  await perAddress(exchange.ip, exchange);
  throw new ApiError('UNAUTHORIZED', {
    message:
      'This chat server is not registered with the push bouncer, or its ID and key are not right',
  });
}
