import { errorCode } from '@bellhop/postgres';
import { ApiError, type Bouncer, type ParamsOf } from '@bellhop/protocol';

import type { App, Handler } from '../app.ts';
import { lockedServer, type RemoteServer } from './queries.ts';
import { hashOf, matches } from './secret-hash.ts';

type Register = Bouncer['servers']['register'];

/**
 * Registers a chat server under the ID and key it chose, if the operator allows it, or updates it. A key
 * rotation may be repeated with the same keys, for instance if its answer was lost. Only the operator
 * reactivates a deactivated server.
 */
export const register: Handler<Register> = async (call) => {
  const { params, app } = call;
  const facts = {
    key_hash: hashOf(params.new_org_key ?? params.zulip_org_key),
    hostname: params.hostname,
    contact_email: params.contact_email,
  };
  try {
    return await app.database.transaction(async (db) => {
      const known = await lockedServer(db, params.zulip_org_id);
      if (known ? !hasKey(known, params) : !mayRegister(app.registration, params))
        throw refused(params.zulip_org_id, known ? 'is registered with another key' : NOT_ALLOWED);
      if (known?.deactivated)
        throw refused(params.zulip_org_id, 'was deactivated; the operator can activate it again');
      if (known)
        await db
          .updateTable('remote_server')
          .set(facts)
          .where('server_uuid', '=', known.server_uuid)
          .execute();
      else
        await db
          .insertInto('remote_server')
          .values({ ...facts, server_uuid: params.zulip_org_id })
          .execute();
      return { created: !known };
    });
  } catch (error) {
    if (errorCode(error) !== '23505') throw error;
    // A concurrent call registered the same ID: its row can be read now.
    if (constraintOf(error) !== 'remote_server_hostname') return register(call);
    throw new ApiError('HOSTNAME_ALREADY_IN_USE_BOUNCER_ERROR', {
      message: `A server with hostname ${params.hostname} already exists`,
      data: { hostname: params.hostname },
    });
  }
};

const hasKey = (server: RemoteServer, params: ParamsOf<Register>) =>
  matches(params.zulip_org_key, server.key_hash) ||
  (params.new_org_key !== undefined && matches(params.new_org_key, server.key_hash));

const NOT_ALLOWED =
  'may not register: the operator of this bouncer must list its ID or give it a registration token';

/** Whether the operator lets this server, which is not known yet, register. */
function mayRegister({ servers, token }: App['registration'], params: ParamsOf<Register>): boolean {
  const given = params.registration_token;
  if (token !== undefined && given !== undefined && matches(given, hashOf(token))) return true;
  return servers === 'any' || servers.includes(params.zulip_org_id.toLowerCase());
}

const refused = (role: string, why: string) =>
  new ApiError('INVALID_ZULIP_SERVER', { message: `The server ${role} ${why}`, data: { role } });

const constraintOf = (error: unknown) =>
  error instanceof Error && 'constraint' in error ? error.constraint : undefined;
