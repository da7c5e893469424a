import type { RealmId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Following, Membership } from '../../../engine/call.ts';
import { afterEventsUntilNow, asPairs, NOW } from '../../channels/subscribe/subscribers.ts';
import { unreadOfSubscription } from './received.ts';

/**
 * Users have read what was sent in channels until now, and is there still: what was moved to another channel and
 * is unread gets a row that says so.
 */
export async function readUntilNow(
  change: Following,
  realm: RealmId,
  pairs: readonly Membership[],
): Promise<void> {
  // Locked before the events, as by all who change them.
  await sql`select from subscription s join ${asPairs(pairs)}
      on p.user_id = s.user_id and p.channel_id = s.channel_id
    where s.realm_id = ${realm} order by s.user_id, s.channel_id for update of s`.execute(
    change.db,
  );
  change.afterEvents(sql`insert into user_message (realm_id, user_id, message_id, flags)
    select ${realm}, p.user_id, m.id, m.flags from ${asPairs(pairs)}
    cross join lateral (${unreadOfSubscription(realm, sql`p.user_id`, { of: 'moved away' })}) m
    where m.home = p.channel_id
    on conflict do nothing`);
  afterEventsUntilNow(
    change,
    sql`update subscription s set read_through = ${NOW} from ${asPairs(pairs)}
      where s.realm_id = ${realm} and s.user_id = p.user_id and s.channel_id = p.channel_id`,
  );
}
