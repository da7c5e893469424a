import type { Client } from 'pg';

/** Whether this database says by subscriptions who received a message, and not by a row for each. */
export async function receivesBySubscription(db: Client): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from pg_attribute where attrelid = 'subscription'::regclass and attname = 'received'`,
  );
  return (rowCount ?? 0) > 0;
}

/**
 * The subscribers of realm 1 have received every message of their channels, and read all but the newest of the
 * realm.
 */
export async function receiveAll(db: Client, { unread }: { unread: number }): Promise<void> {
  if (await receivesBySubscription(db))
    await db.query(
      `update subscription set received = '{[1,)}', read_through = (
         select greatest(coalesce(max(id), 0) - ${unread}, 0) from message where realm_id = 1)
       where realm_id = 1`,
    );
  else
    await db.query(
      `insert into user_message (realm_id, user_id, message_id, flags)
       select 1, s.user_id, m.id, case when m.id > newest - ${unread} then 0 else 1 end
       from message m join subscription s on s.realm_id = 1 and s.channel_id = m.channel_id,
         (select max(id) as newest from message) n
       order by s.user_id, m.id`,
    );
}
