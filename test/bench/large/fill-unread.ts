import type { Client } from 'pg';

import { channelsNamed, peopleNamed } from './fill-people.ts';
import { receiveAll } from './receive.ts';

const CHANNELS = 20;
const TOPICS = 500;
const MESSAGES = 100_000;
const PEOPLE = 500;
const SECONDS_PER_YEAR = 365 * 86_400;

/**
 * What the reader has read: all but the newest half; nothing; or every other topic of each channel, whose messages
 * have rows. The first message of a channel is unread, so that rows of read messages are never more than unread
 * messages, and the server leaves `read_through` where it began.
 */
export type Reading = 'older half' | 'nothing' | 'every other topic';

/** Fills realm 1 by SQL: messages of a year, the topics of all channels by turns, which all people received. */
export async function fillUnread(db: Client, reader: number, reading: Reading): Promise<void> {
  await db.query('set session_replication_role = replica');
  await db.query(peopleNamed('Writer', PEOPLE));
  await db.query(channelsNamed('channel', CHANNELS));
  await db.query(
    `insert into subscription (realm_id, user_id, channel_id, color)
     select c.realm_id, u.id, c.id, '#76ce90' from channel c, realm_user u where not u.is_system_bot`,
  );
  await db.query(
    `with writer as (select array_agg(id order by id) ids from realm_user where full_name like 'Writer%'),
       places as (select array_agg(id order by channel_id) ids, array_agg(channel_id order by channel_id) channels
         from recipient)
     insert into message (realm_id, sender_id, recipient_id, channel_id, topic, content,
       rendered_content, sent_at, client)
     select 1, writer.ids[1 + n % ${PEOPLE}], places.ids[1 + t % ${CHANNELS}],
       places.channels[1 + t % ${CHANNELS}], 'topic ' || t, text, '<p>' || text || '</p>',
       extract(epoch from now())::bigint - ${SECONDS_PER_YEAR} + n * ${SECONDS_PER_YEAR}::bigint / ${MESSAGES},
       'bench'
     from writer, places, (
       select n, n % ${TOPICS} as t, 'Message ' || n || ' says that build ' || n % 1000 || ' is ready' as text
       from generate_series(0, ${MESSAGES - 1}) n) made order by n`,
  );
  await receiveAll(db, { unread: reading === 'older half' ? MESSAGES / 2 : MESSAGES });
  // Of some others always: a table without rows would be read without its index.
  await db.query(
    `insert into user_message (realm_id, user_id, message_id, flags)
     select 1, u.id, m.id, 1 from message m, realm_user u
     where substr(m.topic, 7)::integer / ${CHANNELS} % 2 = 1
       and (u.full_name like 'Writer %00' or (u.id = $1 and $2))
     order by m.id, u.id`,
    [reader, reading === 'every other topic'],
  );
  await db.query('vacuum analyze');
}
