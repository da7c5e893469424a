import { setTimeout as sleep } from 'node:timers/promises';

import { roles } from '@bellhop/protocol';
import type { Client as Database } from 'pg';

import { startScriptedBot } from '../../support/scripted-bot.ts';
import type { TemporarySandbox } from '../../support/temporary-sandbox.ts';
import type { LongList } from './longest-frame.ts';

export const ROWS = 10_000;
/** As many deliveries as the server keeps of each bot make the list of all. */
const BOTS = 10;
const TOPIC = 'a long one';

const texts = [
  'Release 2.4 goes out at **14:00**. Anything open?',
  'Migrations ran on staging in 41 s:\n```sql\nselect count(*) from message;\n-- 10,204,118\n```',
  '@**Olivia Owner** the echo bot answers as before :+1:',
  '* one\n* two\n* three, see https://bellhop.example/docs',
  'ok',
];

export interface FilledConsole {
  /** The path of a conversation with 10,000 messages. */
  readonly topicPath: string;
  readonly messages: LongList;
  readonly deliveries: LongList;
}

/** 10,000 messages in a topic and 10,000 deliveries to ten bots of the owner: copies of real ones. */
export async function fillConsole(
  { sandbox, as }: TemporarySandbox,
  db: Database,
): Promise<FilledConsole> {
  const owner = as(roles.owner);
  const max = as(roles.member);
  const channel = sandbox.file.channels.find(({ name }) => name === 'general')?.stream_id ?? 0;
  const to = { type: 'channel', to: channel, topic: TOPIC } as const;
  for (const content of texts) await max.messages.send({ ...to, content });
  await db.query(
    `insert into message (realm_id, sender_id, recipient_id, channel_id, topic, content,
       rendered_content, sent_at, client)
     select realm_id, case when n % 3 = 0 then $2 else sender_id end, recipient_id, channel_id, topic,
       content, rendered_content, sent_at, client
     from generate_series(1, $3) n, message where topic = $1 order by n, id`,
    [TOPIC, sandbox.file.users[0]?.user_id, ROWS / texts.length - 1],
  );
  await db.query('delete from user_message');
  await db.query('update subscription set read_through = (select max(id) from message)');
  await using hook = await startScriptedBot();
  hook.answers('{"content":"Nothing is open."}');
  for (let n = 0; n < BOTS; n++) {
    const made = { full_name: `Bot ${n}`, short_name: `bench-${n}`, bot_type: 3 as const };
    const { user_id } = await owner.bots.create({ ...made, payload_url: hook.url });
    await max.messages.send({ type: 'direct', to: [user_id], content: 'What is open?' });
    const isDone = async () => {
      const { deliveries } = await owner.botDeliveries.list({ bot_id: user_id });
      return deliveries.some(({ status }) => status === 'delivered');
    };
    while (!(await isDone())) await sleep(50);
  }
  // The time is the beginning of the ID.
  await db.query(
    `insert into bot_delivery (realm_id, id, bot_id, service_id, message_id, trigger, status,
       created_at, attempt_count, duration_ms, http_status, excerpt, verdict, reply_outcome)
     select realm_id, overlay(id::text placing substr(hex, 1, 8) || '-' || substr(hex, 9, 4)
         from 1 for 13)::uuid, bot_id, service_id, message_id, trigger,
       case when n % 7 = 0 then 'failed' else status end, to_timestamp(ms / 1000.0), attempt_count,
       n % 400, case when n % 7 = 0 then 500 else http_status end, excerpt, verdict, reply_outcome
     from (select d.*, n, ms, lpad(to_hex(ms), 12, '0') as hex
       from bot_delivery d, generate_series(1, $1) n,
         lateral (select (extract(epoch from created_at) * 1000)::bigint - n * 1000 as ms) t) copies`,
    [ROWS / BOTS - 1],
  );
  await db.query('vacuum analyze');
  const edges = await db.query<{ messages: string; deliveries: string }>(
    `select (select min(id) from message where topic = $1) as messages,
       (select bot_id || '.' || id from bot_delivery order by id limit 1) as deliveries`,
    [TOPIC],
  );
  const [edge] = edges.rows;
  const topicPath = `/console/chat/channel/${channel}/${encodeURIComponent(TOPIC)}`;
  return {
    topicPath,
    messages: { path: topicPath, label: 'Messages', last: String(edge?.messages), direction: -1 },
    deliveries: {
      path: '/console/bots/all',
      label: 'Deliveries',
      last: String(edge?.deliveries),
      direction: 1,
    },
  };
}
