import { randomBytes } from 'node:crypto';

import { type Outbound, OutboundError } from '@bellhop/http/outbound';
import { badRequest, type Bouncer, type ParamsOf } from '@bellhop/protocol/bouncer';
import { z } from 'zod';

import type { Handler } from '../app.ts';
import { recordAction } from '../audit/audit-log.ts';
import {
  type RemoteServer,
  replaceKey,
  serverByHost,
  spendChallenge,
  storeChallenge,
} from '../servers/queries.ts';
import { hashOf } from '../servers/secret-hash.ts';

type Servers = Bouncer['servers'];

/** How long a host has to serve its secret. */
const CHALLENGE_MS = 10_000;
const ANSWER_TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 4_096;
const HostAnswer = z.object({ verification_secret: z.string().max(200) });

/** Makes a secret that only the owner of the host name can serve there. */
export const transfer: Handler<Servers['transfer']> = async ({ params, app }) => {
  const { kysely } = app.database;
  const { hostname } = await requireServer(app, params.hostname);
  const verification_secret = randomBytes(32).toString('hex');
  await storeChallenge(kysely, {
    secret_hash: hashOf(verification_secret),
    hostname,
    now: new Date(app.now()),
    expires_at: new Date(app.now() + CHALLENGE_MS),
  });
  return { verification_secret };
};

/**
 * Gives the registration of a host name, with a new key, to the server that serves the secret
 * there.
 */
export const verifyChallenge: Handler<Servers['verifyChallenge']> = async ({ params, app }) => {
  const server = await requireServer(app, params.hostname);
  const secret = await servedSecret(app.outbound, params);
  const zulip_org_key = randomBytes(32).toString('hex');
  await app.database.transaction(async (tx) => {
    const proof = {
      secret_hash: hashOf(secret),
      hostname: server.hostname,
      now: new Date(app.now()),
    };
    if (!(await spendChallenge(tx, proof))) throw badRequest('The host served no valid secret');
    await replaceKey(tx, server.server_uuid, hashOf(zulip_org_key));
    await recordAction(tx, {
      at: new Date(app.now()),
      action: 'server_transferred',
      serverUuid: server.server_uuid,
      detail: { hostname: server.hostname },
    });
  });
  app.log.warn(
    { server: server.server_uuid },
    'the owner of a host name took over its chat server',
  );
  return { zulip_org_id: server.server_uuid, zulip_org_key };
};

async function requireServer(
  { database }: Parameters<Handler<Servers['transfer']>>[0]['app'],
  hostname: string,
): Promise<RemoteServer> {
  const server = await serverByHost(database.kysely, hostname);
  if (!server) throw badRequest(`No server is registered with the host name ${hostname}`);
  return server;
}

/**
 * The secret that the host serves. Throws BAD_REQUEST if the host serves none, or is not public.
 */
async function servedSecret(
  outbound: Outbound,
  { hostname, access_token }: ParamsOf<Servers['verifyChallenge']>,
): Promise<string> {
  const url = `https://${hostname}/api/v1/zulip-services/verify/${access_token}/`;
  try {
    const answer = await outbound.get(url, {
      totalTimeoutMs: ANSWER_TIMEOUT_MS,
      maxResponseBytes: MAX_ANSWER_BYTES,
    });
    return HostAnswer.parse(JSON.parse(answer.body.toString())).verification_secret;
  } catch (error) {
    const why = error instanceof OutboundError ? error.safeMessage : 'The answer has no secret.';
    throw badRequest(`The secret could not be read from ${hostname}: ${why}`);
  }
}
