import type { RealmId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Following, Membership } from '../../../engine/call.ts';
import {
  afterEventsUntilNow,
  asPairs,
  isOfPair,
  NOW,
} from '../../channels/subscribe/subscribers.ts';
import { unreadOfSubscription } from './received.ts';

/**
 * From now on users have read all messages that are in these channels. Messages that were sent there and moved
 * to another channel stay as they are: unread ones get a row that says so.
 */
export async function readUntilNow(
  change: Following,
  realm: RealmId,
  pairs: readonly Membership[],
): Promise<void> {
  // Locked before the events, as by all who change them.
  await sql`select from subscription s, ${asPairs(pairs)} where ${isOfPair(realm)}
    order by s.user_id, s.channel_id for update of s`.execute(change.db);
  change.afterEvents(sql`insert into user_message (realm_id, user_id, message_id, flags)
    select ${realm}, p.user_id, m.id, m.flags from ${asPairs(pairs)}
    cross join lateral (${unreadOfSubscription(realm, sql`p.user_id`, 'away')}) m
    where m.home = p.channel_id
    on conflict do nothing`);
  afterEventsUntilNow(
    change,
    sql`update subscription s set read_through = ${NOW} from ${asPairs(pairs)}
      where ${isOfPair(realm)}`,
  );
}
