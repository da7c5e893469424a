import { channelGroupSettings } from '@bellhop/protocol';
import type { Client } from 'pg';

const PEOPLE = 10_000;
const CHANNELS = 1000;
/** Channels to which everybody is subscribed; the others have 100 subscribers each. */
const LARGE_CHANNELS = 10;

/** Fills realm 1 by SQL: 10,000 people and 1,000 channels; the reader is subscribed to all of these. */
export async function fillPeople(db: Client, reader: number): Promise<void> {
  await db.query('set session_replication_role = replica');
  await db.query(peopleNamed('Person', PEOPLE));
  await db.query(channelsNamed('channel', CHANNELS));
  await db.query(
    `insert into recipient (realm_id, channel_id) select realm_id, id from channel order by id`,
  );
  await db.query(
    `insert into subscription (realm_id, user_id, channel_id, color)
     select c.realm_id, u.id, c.id, '#76ce90' from channel c, realm_user u
     where u.id = $1 or c.id <= ${LARGE_CHANNELS} or (u.id + c.id) % ${PEOPLE / 100} = 0`,
    [reader],
  );
  await db.query('vacuum analyze');
}

/** A statement that creates people without passwords in realm 1. */
export const peopleNamed = (name: string, count: number): string =>
  `insert into realm_user (realm_id, delivery_email, full_name, api_key_mac, api_key_sealed)
   select 1, lower('${name}') || n || '@chat.test', '${name} ' || n,
     decode(md5('${name}' || n), 'hex'), ''
   from generate_series(1, ${count}) n`;

/** A statement that creates channels a year old in realm 1, with all permissions for everyone. */
export const channelsNamed = (name: string, count: number): string =>
  `insert into channel (realm_id, name, date_created, ${channelGroupSettings.join(', ')})
   select 1, '${name} ' || n, now() - interval '1 year', ${channelGroupSettings.map(() => 'g.id').join(', ')}
   from generate_series(1, ${count}) n, user_group g
   where g.realm_id = 1 and g.name = 'role:everyone'`;
