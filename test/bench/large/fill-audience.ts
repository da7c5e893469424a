import type { Client } from 'pg';

import { channelsNamed, peopleNamed } from './fill-people.ts';
import { receiveAll } from './receive.ts';

/** Fills realm 1 by SQL: so many people, all subscribed to the channel `everybody`, which is the first one. */
export async function fillAudience(db: Client, reader: number, people: number): Promise<void> {
  await db.query('set session_replication_role = replica');
  await db.query(`update realm_user set role = 100 where id = ${reader}`);
  await db.query(peopleNamed('Person', people - 1));
  await db.query(channelsNamed('everybody', 1));
  await db.query(`update channel set name = 'everybody'`);
  await db.query(
    `insert into subscription (realm_id, user_id, channel_id, color)
     select 1, u.id, c.id, '#76ce90' from channel c, realm_user u where not u.is_system_bot`,
  );
  await receiveAll(db, { unread: 0 });
  await db.query('vacuum analyze');
}
