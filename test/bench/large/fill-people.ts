import { channelGroupSettings } from '@bellhop/protocol';
import type { Client } from 'pg';

import { receiveAll } from './receive.ts';

/** Channels to which everybody is subscribed; the others have 100 subscribers each. */
export const LARGE_CHANNELS = 10;

export interface RealmSize {
  /** A multiple of 100. */
  readonly people: number;
  readonly channels: number;
}

/** Fills realm 1 by SQL: people, and channels to all of which the reader is subscribed. */
export async function fillPeople(
  db: Client,
  reader: number,
  { people, channels }: RealmSize = { people: 10_000, channels: 1000 },
): Promise<void> {
  await db.query('set session_replication_role = replica');
  await db.query(peopleNamed('Person', people));
  await db.query(channelsNamed('channel', channels));
  await db.query(
    `insert into subscription (realm_id, user_id, channel_id, color)
     select c.realm_id, u.id, c.id, '#76ce90' from channel c, realm_user u
     where u.id = $1 or c.id <= ${LARGE_CHANNELS} or (u.id + c.id) % ${people / 100} = 0`,
    [reader],
  );
  await receiveAll(db, { unread: 0 });
  await db.query('vacuum analyze');
}

/** A statement that creates people without passwords in realm 1. */
export const peopleNamed = (name: string, count: number): string =>
  `insert into realm_user (realm_id, delivery_email, full_name, api_key_mac, api_key_sealed)
   select 1, lower('${name}') || n || '@chat.test', '${name} ' || n,
     decode(md5('${name}' || n), 'hex'), ''
   from generate_series(1, ${count}) n`;

/** A statement that creates channels a year old in realm 1, with all permissions for everyone, and their recipients. */
export const channelsNamed = (name: string, count: number): string =>
  `with made as (
     insert into channel (realm_id, name, date_created, ${channelGroupSettings.join(', ')})
     select 1, '${name} ' || n, now() - interval '1 year', ${channelGroupSettings.map(() => 'g.id').join(', ')}
     from generate_series(1, ${count}) n, user_group g
     where g.realm_id = 1 and g.name = 'role:everyone' returning realm_id, id
   )
   insert into recipient (realm_id, channel_id) select realm_id, id from made order by id`;
