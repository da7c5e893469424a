import type { ChannelId, MessageId, RealmId, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db } from '../../../engine/call.ts';
import { isReadableBy } from '../../channels/channel-rights.ts';
import { receiversOf } from './received.ts';

/** A user whom a change to channel messages may concern. */
export interface MessageReader {
  readonly user_id: UserId;
  /** Whether the user received one of the messages. */
  readonly received: boolean;
  /** The channels among these whose messages the user may read. */
  readonly reaches: readonly ChannelId[];
  readonly subscribed: readonly ChannelId[];
}

interface Concerned {
  readonly realm: RealmId;
  readonly ids: readonly MessageId[];
  readonly channels: readonly ChannelId[];
  /** A user who is included in any case. */
  readonly also?: UserId;
}

/** The active users who received one of these messages or are subscribed to one of the channels. */
export async function messageReaders(
  db: Db,
  { realm, ids, channels, also }: Concerned,
): Promise<MessageReader[]> {
  const { rows } = await sql<MessageReader>`
    with candidate (id, received) as (
      select id, bool_or(received) from (
        select user_id, true from ${receiversOf(realm, sql`= any(${ids}::bigint[])`)} r
        union all
        select user_id, false from subscription
        where realm_id = ${realm} and channel_id = any(${channels}::bigint[]) and is_active
        union all
        select id, false from realm_user where realm_id = ${realm} and id = ${also ?? null}
      ) k (id, received) group by id
    ), standing (user_id, channel_id, subscribed, reaches) as (
      select u.id, c.id, s.user_id is not null, ${isReadableBy(realm, 'c', {
        row: 'u',
        isSubscribed: sql`s.user_id is not null`,
      })}
      from candidate k join realm_user u on u.realm_id = ${realm} and u.id = k.id
        and u.is_active
      join channel c on c.realm_id = ${realm} and c.id = any(${channels}::bigint[])
      left join subscription s on s.realm_id = ${realm} and s.user_id = u.id
        and s.channel_id = c.id and s.is_active
    )
    select s.user_id, k.received,
      coalesce(array_agg(s.channel_id) filter (where s.reaches), '{}') as reaches,
      coalesce(array_agg(s.channel_id) filter (where s.subscribed), '{}') as subscribed
    from standing s join candidate k on k.id = s.user_id
    group by s.user_id, k.received order by s.user_id`.execute(db);
  return rows;
}
