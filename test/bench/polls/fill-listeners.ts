import { secretsOf } from '@bellhop/server/provision';
import type { Client } from 'pg';

import { channelsNamed } from '../large/fill-people.ts';
import type { FilledServer } from '../large/filled-server.ts';
import { receiveAll } from '../large/receive.ts';
import { BENCH_SECRET } from '../send/bench-secret.ts';

/** A waiting poll, as its client knows it. */
export interface Listener {
  readonly authorization: string;
  readonly queue_id: string;
  readonly last_event_id: number;
}

/** Creates users with one event queue each, subscribed to `channel 1` as the reader is. */
export async function fillListeners(
  { db, ask, reader }: FilledServer,
  count: number,
): Promise<Listener[]> {
  const { mac } = secretsOf(BENCH_SECRET);
  const keys = Array.from({ length: count }, (_, n) => String(n).padStart(32, 'k'));
  const made = await db.query<{ id: number; delivery_email: string }>(
    `insert into realm_user (realm_id, delivery_email, full_name, api_key_mac, api_key_sealed)
     select 1, 'listener' || n || '@chat.test', 'Listener ' || n, mac, ''
     from unnest($1::bytea[]) with ordinality k (mac, n) returning id, delivery_email`,
    [keys.map((key) => mac(key))],
  );
  await joinChannel(db);
  const registered = await ask('POST /register', {
    event_types: '["message"]',
    fetch_event_types: '[]',
  });
  const { queue_id, last_event_id } = JSON.parse(registered) as Listener;
  const queues = await db.query<{ id: string; user_id: number }>(
    `insert into event_queue (realm_id, id, user_id, registration, client, acknowledged_id, id_offset,
       scanned_seq, lifespan_seconds)
     select q.realm_id, gen_random_uuid(), u.id, q.registration, q.client, q.acknowledged_id,
       q.id_offset, q.scanned_seq, q.lifespan_seconds
     from event_queue q, realm_user u where q.id = $1 and u.full_name like 'Listener %'
     returning id, user_id`,
    [queue_id],
  );
  await db.query('delete from event_queue where user_id = $1', [reader.id]);
  await db.query('vacuum analyze');
  const byUser = new Map(queues.rows.map(({ id, user_id }) => [user_id, id]));
  return made.rows.map(({ id, delivery_email }, n) => ({
    authorization: `Basic ${btoa(`${delivery_email}:${keys[n]}`)}`,
    queue_id: byUser.get(id) ?? '',
    last_event_id,
  }));
}

async function joinChannel(db: Client): Promise<void> {
  await db.query(channelsNamed('channel', 1));
  await db.query(
    `insert into subscription (realm_id, user_id, channel_id, color)
     select c.realm_id, u.id, c.id, '#76ce90' from channel c, realm_user u where not u.is_system_bot`,
  );
  await receiveAll(db, { unread: 0 });
}
