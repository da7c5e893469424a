import { numberArray } from '@bellhop/postgres';
import type { ChannelId, RealmId, UserId } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import type { Db, Following, Membership, Tx } from '../../../engine/call.ts';

/** The active users subscribed to a channel among these. */
export async function subscribersAmong(
  db: Db,
  realm: RealmId,
  { channel_id, users }: { readonly channel_id: ChannelId; readonly users: readonly UserId[] },
): Promise<ReadonlySet<UserId>> {
  if (users.length === 0) return new Set();
  const { rows } = await sql<{ user_id: UserId }>`
    select s.user_id from unnest(${numberArray(users)}::bigint[]) n (id)
    join subscription s on s.realm_id = ${realm} and s.user_id = n.id
      and s.channel_id = ${channel_id} and s.is_active
    join realm_user u on u.realm_id = ${realm} and u.id = n.id and u.is_active`.execute(db);
  return new Set(rows.map(({ user_id }) => user_id));
}

/** Active users subscribed to a channel: all, or `upTo` of them if there are more. */
export async function someSubscribers(
  db: Db,
  realm: RealmId,
  { channel_id, upTo }: { readonly channel_id: ChannelId; readonly upTo: number },
): Promise<UserId[]> {
  const { rows } = await sql<{ user_id: UserId }>`
    select s.user_id from subscription s
    join realm_user u on u.realm_id = s.realm_id and u.id = s.user_id and u.is_active
    where s.realm_id = ${realm} and s.channel_id = ${channel_id} and s.is_active
    limit ${upTo}`.execute(db);
  return rows.map(({ user_id }) => user_id);
}

/** For FROM: pairs as rows `p`. */
export const asPairs = (pairs: readonly Membership[]) =>
  sql`unnest(${numberArray(pairs.map(({ user_id }) => user_id))}::bigint[],
    ${numberArray(pairs.map(({ channel_id }) => channel_id))}::bigint[]) p (user_id, channel_id)`;

/** Whether a row `s` of `subscription` is that of a pair. */
export const isOfPair = (realm: RealmId) =>
  sql`s.realm_id = ${realm} and s.user_id = p.user_id and s.channel_id = p.channel_id`;

/**
 * Takes the id up to which messages are sent, or about to be sent: those of later messages are higher. By a
 * statement of its own: the changes that need it, as `NOW`, concern one realm, and the sequence concerns all.
 */
const takeNow = sql`select set_config('bellhop.now', nextval('message_id_seq')::text, true)`;
export const NOW = sql`current_setting('bellhop.now')::bigint`;
/** For `received`: all later messages. */
export const LATER = sql`int8multirange(int8range(${NOW}, null, '(]'))`;

/** A statement with `NOW`, which runs when the events have their places in the log. */
export function afterEventsUntilNow(
  { afterEvents }: Pick<Following, 'afterEvents'>,
  statement: RawBuilder<unknown>,
): void {
  afterEvents(takeNow);
  afterEvents(statement);
}

/**
 * From now on users receive the messages of channels to which they have subscribed. A message with a lower
 * id that is sent later gets a row, because of `read_through`: see `catchLate`.
 */
export const beginReceiving = (
  change: Pick<Following, 'afterEvents'>,
  realm: RealmId,
  pairs: readonly Membership[],
): void =>
  afterEventsUntilNow(
    change,
    sql`update subscription s set received = s.received + ${LATER}, read_through = ${NOW}
      from ${asPairs(pairs)}
      where ${isOfPair(realm)} and s.is_active and not upper_inf(s.received)`,
  );

/** Users who have unsubscribed receive nothing from now on; `readUntilNow` says that they have read the rest. */
export const endReceiving = (
  change: Pick<Following, 'afterEvents'>,
  realm: RealmId,
  pairs: readonly Membership[],
): void =>
  afterEventsUntilNow(
    change,
    sql`update subscription s set received = s.received - ${LATER} from ${asPairs(pairs)}
      where ${isOfPair(realm)} and not s.is_active`,
  );

/**
 * From now on the subscribers of an imported realm receive what is sent to their channels; for what they
 * received before they have rows. Nobody sends anything there before the import ends.
 */
export async function receiveFromNowOn(tx: Tx, realm: RealmId): Promise<void> {
  await takeNow.execute(tx);
  await sql`update subscription s set read_through = ${NOW}, rows_before = ${NOW} + 1,
      received = case when s.is_active and u.is_active then ${LATER} else '{}' end
    from realm_user u
    where s.realm_id = ${realm} and u.realm_id = ${realm} and u.id = s.user_id`.execute(tx);
}
