import type { InviteId, RealmId, UserId, ChannelId, Role, UserGroupId } from '@bellhop/protocol';
import { type Insertable, type NotNull, type Selectable, sql, type Generated } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { Tables } from '../../engine/tables.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    invite: {
      realm_id: RealmId;
      id: Generated<InviteId>;
      email: string | null;
      link_id: InviteId | null;
      /** Null if somebody signs up without an invitation. */
      invited_by: UserId | null;
      invited_as: Role;
      channel_ids: ChannelId[];
      group_ids: UserGroupId[];
      include_default_channels: boolean;
      notify_referrer: boolean;
      welcome_text: string | null;
      invited_at: number;
      expires_at: number | null;
      token_mac: Buffer;
      token_sealed: Buffer | null;
    };
  }
}

export type InviteRow = Selectable<Tables['invite']>;
export type NewInvite = Insertable<Tables['invite']>;
/** An invitation of `GET /invites`. */
export type SentInvite = InviteRow & { readonly invited_by: UserId };

/** Invitations that can be accepted: not expired, and from an active user or from nobody. */
const open = (db: Db, realm: RealmId, now: number) =>
  db
    .selectFrom('invite as i')
    .leftJoin('realm_user as u', (join) =>
      join.onRef('u.realm_id', '=', 'i.realm_id').onRef('u.id', '=', 'i.invited_by'),
    )
    .selectAll('i')
    .where('i.realm_id', '=', realm)
    .where((eb) => eb.or([eb('i.invited_by', 'is', null), eb('u.is_active', '=', true)]))
    .where((eb) => eb.or([eb('i.expires_at', 'is', null), eb('i.expires_at', '>', now)]));

const sent = (db: Db, realm: RealmId, now: number) =>
  open(db, realm, now)
    .where('i.link_id', 'is', null)
    .where('i.invited_by', 'is not', null)
    .$narrowType<{ invited_by: NotNull }>();

interface Listing {
  readonly now: number;
  /** Selects only the invitations of this user. */
  readonly invited_by?: UserId;
}

/** The invitations of `GET /invites`, oldest first. */
export const listed = (
  db: Db,
  realm: RealmId,
  { now, invited_by }: Listing,
): Promise<SentInvite[]> =>
  sent(db, realm, now)
    .$if(invited_by !== undefined, (query) =>
      query.where('i.invited_by', '=', invited_by as UserId),
    )
    .orderBy('i.id')
    .execute();

interface InviteAddress {
  readonly id: InviteId;
  readonly isLink: boolean;
  readonly now: number;
}

/** One of the invitations of `GET /invites`, locked until the commit. */
export const toChange = (
  tx: Tx,
  realm: RealmId,
  { id, isLink, now }: InviteAddress,
): Promise<SentInvite | undefined> =>
  sent(tx, realm, now)
    .where('i.id', '=', id)
    .where('i.email', isLink ? 'is' : 'is not', null)
    .forUpdate('i')
    .executeTakeFirst();

/** The invitation with this secret, if it may be accepted. */
export const byToken = (
  db: Db,
  realm: RealmId,
  { token_mac, now }: { readonly token_mac: Buffer; readonly now: number },
): Promise<InviteRow | undefined> =>
  open(db, realm, now).where('i.token_mac', '=', token_mac).executeTakeFirst();

/** Removes all invitations of an address, which now has an account. Returns who sent them. */
export async function removeOfAddress(tx: Tx, realm: RealmId, email: string): Promise<UserId[]> {
  const removed = await tx
    .deleteFrom('invite')
    .where('realm_id', '=', realm)
    .where(sql<boolean>`lower(email) = lower(${email})`)
    .returning('invited_by')
    .execute();
  return removed.flatMap(({ invited_by }) => invited_by ?? []);
}

export async function insert(tx: Tx, rows: readonly NewInvite[]): Promise<void> {
  if (rows.length > 0)
    await tx
      .insertInto('invite')
      .values([...rows])
      .execute();
}

type Renewal = Pick<InviteRow, 'invited_at' | 'expires_at' | 'token_mac'>;

export async function renew(
  tx: Tx,
  { realm_id, id }: Pick<InviteRow, 'realm_id' | 'id'>,
  renewal: Renewal,
): Promise<void> {
  await tx
    .updateTable('invite')
    .set(renewal)
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .execute();
}

/** Removes an invitation, and those that people asked for with it if it is a reusable link. */
export async function remove(
  tx: Tx,
  { realm_id, id }: Pick<InviteRow, 'realm_id' | 'id'>,
): Promise<void> {
  await tx.deleteFrom('invite').where('realm_id', '=', realm_id).where('id', '=', id).execute();
}

/** Removes the invitations of a user. Returns whether there were any. */
export async function removeOfInviter(
  tx: Tx,
  { realm_id, id }: { readonly realm_id: RealmId; readonly id: UserId },
): Promise<boolean> {
  const removed = await tx
    .deleteFrom('invite')
    .where('realm_id', '=', realm_id)
    .where('invited_by', '=', id)
    .returning('id')
    .execute();
  return removed.length > 0;
}

/** Removes invitations that expired before this time. */
export async function removeExpired(tx: Tx, realm: RealmId, before: number): Promise<void> {
  await tx
    .deleteFrom('invite')
    .where('realm_id', '=', realm)
    .where('expires_at', '<', before)
    .execute();
}
