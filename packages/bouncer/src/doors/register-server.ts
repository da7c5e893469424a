import { errorCode } from '@bellhop/postgres';
import { ApiError, type Bouncer, type ParamsOf } from '@bellhop/protocol/bouncer';
import type { Kysely } from 'kysely';

import type { App, Handler } from '../app.ts';
import { recordAction } from '../audit/audit-log.ts';
import { banOf } from '../servers/bans.ts';
import { useInvitation } from '../servers/invitations.ts';
import { lockedServer, type RemoteServer } from '../servers/queries.ts';
import { hashOf, matches } from '../servers/secret-hash.ts';
import { keyOf } from '../servers/server-key.ts';
import type { BouncerTables } from '../storage/tables.ts';

type Register = Bouncer['servers']['register'];
type Params = ParamsOf<Register>;
type Db = Kysely<BouncerTables>;

/**
 * Registers a chat server under the ID and key it chose, if the operator allows it, or updates it. A key
 * rotation may be repeated with the same keys, for instance if its answer was lost. Only the operator
 * reactivates a deactivated server.
 */
export const register: Handler<Register> = async (call) => {
  const { params, app } = call;
  try {
    return await app.database.transaction(async (db) => {
      const known = await lockedServer(db, params.zulip_org_id);
      if (known) await update(db, known, { params, app });
      else await create(db, params, app);
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

const factsOf = ({ hostname, contact_email }: Params) => ({ hostname, contact_email });

async function create(db: Db, params: Params, app: App): Promise<void> {
  const at = new Date(app.now());
  const serverUuid = params.zulip_org_id;
  const permission = await permissionOf(db, params, app);
  if (permission === undefined) throw refused(serverUuid, NOT_ALLOWED);
  await refuseBanned(db, params);
  const key_hash = hashOf(params.new_org_key ?? params.zulip_org_key);
  await db
    .insertInto('remote_server')
    .values({
      ...factsOf(params),
      key_hash,
      former_key_hash: null,
      former_key_until: null,
      server_uuid: serverUuid,
    })
    .execute();
  const detail = { hostname: params.hostname, permission };
  await recordAction(db, { at, action: 'server_registered', serverUuid, detail });
}

interface Update {
  readonly params: Params;
  readonly app: App;
}

/**
 * The former key, while it is valid, cannot change the registration: a thief of the key cannot take
 * over the server.
 */
async function update(db: Db, known: RemoteServer, { params, app }: Update): Promise<void> {
  const { zulip_org_key, new_org_key } = params;
  const serverUuid = known.server_uuid;
  const isCurrent =
    matches(zulip_org_key, known.key_hash) ||
    (new_org_key !== undefined && matches(new_org_key, known.key_hash));
  const isFormer = new_org_key === undefined && keyOf(known, zulip_org_key, app.now()) === 'former';
  if (!isCurrent && !isFormer) throw refused(serverUuid, 'is registered with another key');
  if (known.deactivated)
    throw refused(serverUuid, 'was deactivated; the operator can activate it again');
  await refuseBanned(db, params);
  if (isFormer) return;
  const at = new Date(app.now());
  const isRotated = new_org_key !== undefined && !matches(new_org_key, known.key_hash);
  await db
    .updateTable('remote_server')
    .set({
      ...factsOf(params),
      ...(isRotated
        ? {
            key_hash: hashOf(new_org_key),
            former_key_hash: known.key_hash,
            former_key_until: new Date(app.now() + app.config.formerKeySeconds * 1_000),
          }
        : {}),
    })
    .where('server_uuid', '=', serverUuid)
    .execute();
  if (isRotated) await recordAction(db, { at, action: 'key_rotated', serverUuid });
  if (params.hostname !== known.hostname)
    await recordAction(db, {
      at,
      action: 'host_name_changed',
      serverUuid,
      detail: { from: known.hostname, to: params.hostname },
    });
}

const NOT_ALLOWED =
  'may not register: the operator of this bouncer must invite it, list its ID or give it a registration token';

/**
 * The permission by which an unknown server registers. Uses an invitation up only if the server
 * needs one.
 */
async function permissionOf(db: Db, params: Params, app: App): Promise<string | undefined> {
  const { servers, token } = app.config.registration;
  const { zulip_org_id: serverUuid, registration_token: given } = params;
  if (token !== undefined && given !== undefined && matches(given, hashOf(token))) return 'token';
  if (servers === 'any') return 'open registration';
  if (servers.includes(serverUuid.toLowerCase())) return 'list';
  const invitation = await useInvitation(db, { serverUuid, token: given, at: new Date(app.now()) });
  return invitation && `invitation ${invitation.invitation_number}`;
}

async function refuseBanned(db: Db, { zulip_org_id, hostname }: Params): Promise<void> {
  if (await banOf(db, { serverUuid: zulip_org_id, hostname }))
    throw refused(zulip_org_id, 'is banned by the operator of this bouncer');
}

const refused = (role: string, why: string) =>
  new ApiError('INVALID_ZULIP_SERVER', { message: `The server ${role} ${why}`, data: { role } });

const constraintOf = (error: unknown) =>
  error instanceof Error && 'constraint' in error ? error.constraint : undefined;
