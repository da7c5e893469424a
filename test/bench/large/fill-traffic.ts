import type { Client } from 'pg';

import { LARGE_CHANNELS } from './fill-people.ts';
import { receiveAll } from './receive.ts';

const SECONDS_PER_DAY = 86_400;
/** Every so many messages one goes to a channel of everybody. */
const TO_ALL = 250;
const UNREAD = 200;

/** Fills realm 1 with the messages of so many days, of everybody one in four days, and who received them. */
export async function fillTraffic(
  db: Client,
  { people, channels, days }: Readonly<Record<'people' | 'channels' | 'days', number>>,
): Promise<void> {
  const messages = (people / 4) * days;
  await db.query(
    `with writer as (select array_agg(id order by id) ids from realm_user where full_name like 'Person%'),
       places as (select array_agg(id order by channel_id) ids, array_agg(channel_id order by channel_id) channels
         from recipient where channel_id is not null)
     insert into message (realm_id, sender_id, recipient_id, channel_id, topic, content,
       rendered_content, sent_at, client)
     select 1, writer.ids[1 + n % ${people}], places.ids[c], places.channels[c], 'topic ' || n % 40,
       text, '<p>' || text || '</p>',
       extract(epoch from now())::bigint - ${days * SECONDS_PER_DAY} + n * ${days * SECONDS_PER_DAY}::bigint / ${messages},
       'bench'
     from writer, places, (
       select n, 'Message ' || n || ' says that build ' || n % 1000 || ' is ready for review' as text,
         case when n % ${TO_ALL} = 0 then 1 + n % ${LARGE_CHANNELS}
           else ${LARGE_CHANNELS} + 1 + n % ${channels - LARGE_CHANNELS} end as c
       from generate_series(1, ${messages}) n) made order by n`,
  );
  await receiveAll(db, { unread: UNREAD });
  await db.query('vacuum analyze');
}
