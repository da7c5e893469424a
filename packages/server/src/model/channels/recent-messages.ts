import type { RealmId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Tx } from '../../engine/call.ts';

const HOUR = 3600;
const FOUR_WEEKS = 28 * 24 * HOUR;

/**
 * Counts the messages of the last four weeks in every channel of a realm, for `stream_weekly_traffic`.
 * Counting them for each client that registers would read all of them each time.
 */
export async function countRecentMessages(tx: Tx, realm: RealmId, now: number): Promise<void> {
  await sql`with recent as (
      select m.channel_id, count(*) as messages from message m
      where m.realm_id = ${realm} and m.sent_at > ${now - FOUR_WEEKS} and m.channel_id is not null
      group by m.channel_id
    ), counted as (
      select c.id, coalesce(recent.messages, 0) as messages from channel c
      left join recent on recent.channel_id = c.id where c.realm_id = ${realm}
    )
    update channel c set recent_messages = counted.messages from counted
    where c.realm_id = ${realm} and c.id = counted.id
      and c.recent_messages <> counted.messages`.execute(tx);
}
