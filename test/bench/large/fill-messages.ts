import type { Client } from 'pg';

import { channelsNamed, peopleNamed } from './fill-people.ts';
import { receiveAll, receivesBySubscription } from './receive.ts';

/** The content of the database of a bench beside the person who reads it. */
export interface MessageVolume {
  /** All messages of the realm; the reader received every one. */
  readonly messages: number;
  /** The number of direct messages, to the reader and one or two other people. */
  readonly direct: number;
  /** The newest of the messages are unread. */
  readonly unread: number;
}

const CHANNELS = 20;
/** A larger realm has more topics, not longer ones: pages of a topic are as long in each. */
const MESSAGES_PER_TOPIC = 60;
const PEOPLE = 500;
const STARRED = 200;
const SECONDS_PER_YEAR = 365 * 86_400;

/**
 * Fills realm 1, whose first person is the reader, by SQL: channels to which the reader is subscribed,
 * and messages of one year in random order of conversations. Indexes of messages are built at the end.
 */
export async function fillMessages(
  db: Client,
  reader: number,
  { messages, direct, unread }: MessageVolume,
): Promise<void> {
  const topicsPerChannel = Math.ceil((messages - direct) / CHANNELS / MESSAGES_PER_TOPIC);
  await db.query('set session_replication_role = replica; select setseed(0.5)');
  await db.query(peopleNamed('Writer', PEOPLE));
  await db.query(channelsNamed('channel', CHANNELS));
  await db.query(
    `insert into subscription (realm_id, user_id, channel_id, color)
     select c.realm_id, u.id, c.id, '#76ce90' from channel c, realm_user u
     where u.id = $1 or u.id % 10 = c.id % 10`,
    [reader],
  );
  // Nine of ten conversations have two people, the others three.
  await db.query(
    `insert into recipient (realm_id, user_ids)
     select 1, array[$1, u.id] from realm_user u where u.full_name like 'Writer%'
     union all
     select 1, array[$1, u.id, u.id + 1] from realm_user u
     where u.full_name like 'Writer%' and u.id % 10 = 0`,
    [reader],
  );
  const indexes = await takeIndexes(db);
  await db.query(
    `with writer as (select array_agg(id order by id) ids from realm_user where full_name like 'Writer%'),
       channels as (select array_agg(id order by channel_id) ids, array_agg(channel_id order by channel_id) channels
         from recipient where channel_id is not null),
       direct as (select array_agg(id order by id) ids from recipient where user_ids is not null)
     insert into message (realm_id, sender_id, recipient_id, channel_id, topic, content,
       rendered_content, sent_at, client)
     select 1, writer.ids[1 + n % ${PEOPLE}],
       case when d then direct.ids[1 + (r * cardinality(direct.ids))::integer % cardinality(direct.ids)]
         else channels.ids[1 + c] end,
       case when not d then channels.channels[1 + c] end,
       case when d then '' else 'topic ' || (r * 1e6)::integer % ${topicsPerChannel} end,
       text, '<p>' || text || '</p>',
       extract(epoch from now())::bigint - ${SECONDS_PER_YEAR} + n * ${SECONDS_PER_YEAR}::bigint / ${messages},
       'bench'
     from writer, channels, direct, (
       select n, r, n % ${Math.round(messages / direct)} = 0 as d, (r * 1e4)::integer % ${CHANNELS} as c,
         'Message ' || n || ' says that build ' || n % 1000 || ' is ready for review, please look'
           || case when n % 20 = 0 then ' at the dashboard' else '' end
           || case when n % 200 = 0 and n <= ${messages / 2} then ' and the archive' else '' end as text
       from (select n, random() as r from generate_series(1, ${messages}) n) numbered
     ) made order by n`,
  );
  const flags = `case when id > newest - ${unread} then 0 else 1 end
    | case when id % ${Math.round(messages / STARRED)} = 0 then 2 else 0 end`;
  const bySubscription = await receivesBySubscription(db);
  await db.query(
    `insert into user_message (realm_id, user_id, message_id, flags)
     select 1, $1, id, ${flags} from message, (select max(id) as newest from message) n
     where ${bySubscription ? `channel_id is null or (${flags}) & 2 <> 0` : 'true'} order by id`,
    [reader],
  );
  if (bySubscription) await receiveAll(db, { unread });
  for (const index of indexes) await db.query(index);
  await db.query('vacuum analyze');
}

/** Drops the indexes of the large tables; the statements that create them again. */
async function takeIndexes(db: Client): Promise<string[]> {
  const { rows } = await db.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where not indisprimary and indrelid in ('message'::regclass, 'user_message'::regclass)`,
  );
  for (const { name } of rows) await db.query(`drop index ${name}`);
  return rows.map(({ definition }) => definition);
}
