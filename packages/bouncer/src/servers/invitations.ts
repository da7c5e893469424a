import { randomBytes } from 'node:crypto';

import { type Kysely, type Selectable, sql } from 'kysely';

import { DAY_MS, type Sweep } from '../storage/sweep.ts';
import type { BouncerTables, InvitationTable } from '../storage/tables.ts';
import { hashOf } from './secret-hash.ts';

type Db = Kysely<BouncerTables>;
export type Invitation = Selectable<InvitationTable>;

interface Validity {
  readonly at: Date;
  readonly expiresAt: Date;
}

/** Creates an invitation for the owner of the returned token, which is stored as a hash only. */
export async function createInvitation(
  db: Db,
  { at, expiresAt }: Validity,
): Promise<{ readonly number: number; readonly token: string }> {
  const token = randomBytes(32).toString('hex');
  const { invitation_number: number } = await db
    .insertInto('invitation')
    .values({ token_hash: hashOf(token), created_at: at, expires_at: expiresAt, ...unused })
    .returning('invitation_number')
    .executeTakeFirstOrThrow();
  return { number, token };
}

/**
 * Invites the server with this ID, again if an earlier invitation was used or has expired. Returns the number
 * of the invitation.
 */
export async function inviteServer(
  db: Db,
  serverUuid: string,
  { at, expiresAt }: Validity,
): Promise<number> {
  const { invitation_number: number } = await db
    .insertInto('invitation')
    .values({ server_uuid: serverUuid, created_at: at, expires_at: expiresAt, ...unused })
    .onConflict((conflict) =>
      conflict.column('server_uuid').doUpdateSet({
        created_at: at,
        expires_at: expiresAt,
        ...unused,
      }),
    )
    .returning('invitation_number')
    .executeTakeFirstOrThrow();
  return number;
}

const unused = { used_at: null, used_by: null };

interface Invitee {
  readonly serverUuid: string;
  readonly token: string | undefined;
  readonly at: Date;
}

/**
 * Uses an invitation of the server, or the invitation of the token. Undefined if there is none: it
 * has expired, or a node has used it.
 */
export const useInvitation = (
  db: Db,
  { serverUuid, token, at }: Invitee,
): Promise<Invitation | undefined> =>
  db
    .updateTable('invitation')
    .set({ used_at: at, used_by: serverUuid })
    .where('invitation_number', '=', (eb) =>
      eb
        .selectFrom('invitation')
        .select('invitation_number')
        .where((or) =>
          or.or([
            or('server_uuid', '=', serverUuid),
            or('token_hash', '=', token === undefined ? null : hashOf(token)),
          ]),
        )
        .where('used_at', 'is', null)
        .where('expires_at', '>', at)
        .orderBy(sql`server_uuid is null`)
        .limit(1)
        .forUpdate(),
    )
    .returningAll()
    .executeTakeFirst();

/** An invitation as the operator sees it: its number, and never its token. */
export type OpenInvitation = Pick<
  Invitation,
  'invitation_number' | 'server_uuid' | 'created_at' | 'expires_at'
>;

/** The invitations that can still be used, newest first. */
export const openInvitations = (db: Db, at: Date): Promise<OpenInvitation[]> =>
  db
    .selectFrom('invitation')
    .select(['invitation_number', 'server_uuid', 'created_at', 'expires_at'])
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .orderBy('created_at', 'desc')
    .execute();

/** Ends an unused invitation. Undefined if there is none with this number. */
export const revokeInvitation = (
  db: Db,
  number: number,
  at: Date,
): Promise<Pick<Invitation, 'server_uuid'> | undefined> =>
  db
    .deleteFrom('invitation')
    .where('invitation_number', '=', number)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .returning('server_uuid')
    .executeTakeFirst();

const KEEP_INVITATIONS_MS = 30 * DAY_MS;

/** Deletes invitations 30 days after they expired. */
export const sweepInvitations: Sweep = ({ db, now }) =>
  db
    .deleteFrom('invitation')
    .where('expires_at', '<', new Date(now - KEEP_INVITATIONS_MS))
    .execute();
