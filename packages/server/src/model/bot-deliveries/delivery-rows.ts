import type { DeliveryReply, MessageId, RealmId, UserId } from '@bellhop/protocol';
import { type RawBuilder, type Selectable, sql, type Generated } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { Tables } from '../../engine/tables.ts';
import { type ConsoleWatchers, consoleWatchers } from '../bots/console-watchers.ts';
import type { AttemptRecord } from './attempt-record.ts';
import { excerptOf, MAX_LOOKED_AT } from './excerpt.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    bot_delivery: {
      realm_id: RealmId;
      id: string;
      bot_id: UserId;
      service_id: number;
      /** The owner of the bot when the delivery was made. */
      owner_id: UserId | null;
      message_id: MessageId | null;
      trigger: string;
      /** The beginning of the message, or of the message in the payload of a replay or a test. */
      excerpt: Generated<string>;
      status: string;
      created_at: Date;
      attempt_count: Generated<number>;
      next_attempt_at: Date | null;
      duration_ms: number | null;
      http_status: number | null;
      error_code: string | null;
      verdict: string;
      /** The verdict with what the endpoint said, for the owner; null: the same as for others. */
      owner_verdict: string | null;
      reply_outcome: Generated<string>;
      reply_message_id: MessageId | null;
      reply_reason: string | null;
      replay_of: string | null;
      replay_id: string | null;
      replay_payload: string | null;
      sends_reply: Generated<boolean>;
    };
    bot_delivery_attempt: {
      realm_id: RealmId;
      delivery_id: string;
      number: number;
      started_at: Date;
      /** JSON. */
      timing: object | null;
      url: string;
      request_headers: object;
      payload: string;
      response_status: number | null;
      response_headers: object | null;
      response_body: string | null;
      truncated: Generated<boolean>;
      error_code: string | null;
      near: string | null;
      verdict: string;
      owner_verdict: string | null;
    };
  }
}

/** The message and the bot of a delivery. */
export interface DeliverySubject {
  readonly realm_id: RealmId;
  readonly id: string;
  readonly bot_id: UserId;
  readonly service_id: number;
  /** The owner of the bot when the delivery was made, who alone reads its payload and answers. */
  readonly owner_id: UserId | null;
  readonly message_id: MessageId | null;
  readonly trigger: string;
  /** The beginning of the message. */
  readonly excerpt: string;
}

/** The state of a delivery after an attempt, or after it was dropped. */
export interface DeliveryEnd {
  readonly subject: DeliverySubject;
  readonly status: 'retrying' | 'delivered' | 'bot_error' | 'failed' | 'dropped';
  /** For the owner and administrators: quotes nothing of the answer. */
  readonly verdict: string;
  /** For the owner of the delivery, if it quotes the answer. */
  readonly owner_verdict: string | null;
  readonly error_code: string | null;
  readonly reply: DeliveryReply;
  /** Milliseconds until the next attempt. */
  readonly delay_ms: number | null;
  /** Undefined if nothing was sent. */
  readonly record: AttemptRecord | undefined;
}

export const summaryColumns = [
  'id',
  'bot_id',
  'owner_id',
  'message_id',
  'trigger',
  'excerpt',
  'status',
  'created_at',
  'attempt_count',
  'next_attempt_at',
  'duration_ms',
  'http_status',
  'error_code',
  'verdict',
  'owner_verdict',
  'reply_outcome',
  'reply_message_id',
  'reply_reason',
  'replay_of',
  'replay_id',
] as const;

export type DeliveryRow = Pick<Selectable<Tables['bot_delivery']>, (typeof summaryColumns)[number]>;

/** A delivery, and the users whose consoles show it. */
export type WatchedRow = DeliveryRow & { readonly watchers: ConsoleWatchers | null };

/** The time in a job's id, a UUID of version 7. */
export const createdAt = (id: string): Date =>
  new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16));

/**
 * Writes the end of an attempt: the delivery, the request and the answer. Writes nothing if the
 * message has been deleted.
 */
export async function recordEnd(
  tx: Tx,
  { subject, record, reply, ...end }: DeliveryEnd,
): Promise<WatchedRow | undefined> {
  const { realm_id, id, bot_id, service_id, owner_id, message_id, trigger, excerpt } = subject;
  const next_attempt_at =
    end.delay_ms === null
      ? sql`null::timestamptz`
      : sql`clock_timestamp() + ${end.delay_ms} * interval '1 millisecond'`;
  const total = record?.timing?.total ?? null;
  const status = record?.response?.status ?? null;
  const attempt = record
    ? sql`, attempt as (
        insert into bot_delivery_attempt (realm_id, delivery_id, number, started_at, timing, url,
          request_headers, payload, response_status, response_headers, response_body, truncated,
          error_code, near, verdict, owner_verdict)
        select ${realm_id}, id, ${record.number},
          clock_timestamp() - ${total ?? 0} * interval '1 millisecond',
          ${record.timing && JSON.stringify(record.timing)}::json, ${record.url},
          ${JSON.stringify(record.request_headers)}::json, ${record.payload}, ${status}::integer,
          ${record.response && JSON.stringify(record.response.headers)}::json,
          ${record.response?.body ?? null}::text, ${record.response?.truncated ?? false},
          ${end.error_code}::text, ${record.answer?.near ?? null}::text, ${end.verdict},
          ${end.owner_verdict}::text
        from ended on conflict do nothing)`
    : sql``;
  const { rows } = await sql<WatchedRow>`
    with ended as (
      insert into bot_delivery (realm_id, id, bot_id, service_id, owner_id, message_id, trigger, excerpt,
        status, created_at, attempt_count, next_attempt_at, duration_ms, http_status, error_code,
        verdict, owner_verdict, reply_outcome, reply_message_id, reply_reason)
      select ${realm_id}, ${id}, ${bot_id}, ${service_id}, ${owner_id}::bigint,
        ${message_id}::bigint, ${trigger},
        ${excerpt}, ${end.status}, ${createdAt(id)}::timestamptz, ${record?.number ?? 0}::integer,
        ${next_attempt_at}, ${total}::integer, ${status}::integer, ${end.error_code}::text,
        ${end.verdict}, ${end.owner_verdict}::text, ${reply.outcome}, ${reply.message_id}::bigint, ${reply.reason}::text
      where ${message_id}::bigint is null
        or exists (select from message where realm_id = ${realm_id} and id = ${message_id}::bigint)
      on conflict (realm_id, id) do update set
        status = excluded.status, attempt_count = greatest(bot_delivery.attempt_count, excluded.attempt_count),
        next_attempt_at = excluded.next_attempt_at, duration_ms = excluded.duration_ms,
        http_status = excluded.http_status, error_code = excluded.error_code,
        verdict = excluded.verdict, owner_verdict = excluded.owner_verdict,
        reply_outcome = excluded.reply_outcome,
        reply_message_id = excluded.reply_message_id, reply_reason = excluded.reply_reason
      returning *)
    ${attempt}
    select ${sql.join(summaryColumns.map((column) => sql.ref(column)))},
      ${consoleWatchers(realm_id, sql.ref('ended.bot_id'))} as watchers
    from ended`.execute(tx);
  return rows[0];
}

export const PENDING = 'waits for its first attempt';
export const RUNNING = 'waits for the answer';

export interface BotKey {
  readonly realm_id: RealmId;
  readonly bot_id: UserId;
}

/** The least id of a job of this time, in UNIX milliseconds. */
const firstId = (ms: number): string => {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
};

/** Filters of a list of deliveries. */
export interface DeliveryFilter {
  readonly id?: string | undefined;
  readonly message_id?: MessageId | undefined;
  readonly status?: string | undefined;
  readonly trigger?: string | undefined;
  readonly http_status?: number | undefined;
  readonly after_ms?: number | undefined;
  readonly before_ms?: number | undefined;
  readonly search?: string | undefined;
}

/** A delivery whose job has not ended. */
export interface UnfinishedDelivery {
  readonly id: string;
  readonly state: 'queued' | 'running';
  readonly owner_id: UserId | null;
  readonly message_id: MessageId | null;
  readonly trigger: string;
  readonly attempt_count: number;
}

interface Page extends DeliveryFilter {
  /** Only older ones. */
  readonly cursor?: string | undefined;
  readonly limit: number;
  /** The search includes messages, payloads and answers of the deliveries of this user. */
  readonly reader: UserId;
  /** Whether only deliveries of the reader are found. */
  readonly ownOnly?: boolean;
  /**
   * Deliveries that have not ended. Those whose first attempt runs are not stored yet; the list
   * shows which of the stored ones run.
   */
  readonly unfinished: readonly UnfinishedDelivery[];
}

/** Deliveries of a bot, newest first. */
export async function page(
  db: Db,
  { realm_id, bot_id }: BotKey,
  { unfinished, cursor, limit, reader, ownOnly = false, ...filter }: Page,
): Promise<DeliveryRow[]> {
  const { id, message_id, status, trigger, http_status, after_ms, before_ms, search } = filter;
  const conditions = [
    ownOnly ? sql`owner_id = ${reader}` : sql`true`,
    ...(id === undefined ? [] : [sql`id = ${id}::uuid`]),
    ...(message_id === undefined
      ? []
      : [sql`${message_id}::bigint in (message_id, reply_message_id)`]),
    ...(cursor === undefined ? [] : [sql`id < ${cursor}::uuid`]),
    ...(status === undefined ? [] : [sql`status = ${status}`]),
    ...(trigger === undefined ? [] : [sql`trigger = ${trigger}`]),
    ...(http_status === undefined ? [] : [sql`http_status = ${http_status}::integer`]),
    ...(after_ms === undefined ? [] : [sql`id >= ${firstId(after_ms)}::uuid`]),
    ...(before_ms === undefined ? [] : [sql`id < ${firstId(before_ms)}::uuid`]),
    ...(search === undefined ? [] : [found(realm_id, search, reader)]),
  ];
  const { rows } = await sql<DeliveryRow>`
    with job as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(unfinished)}::jsonb)
        as j (id uuid, state text, owner_id bigint, message_id bigint, trigger text, attempt_count integer)),
    delivery as (
      select d.id, bot_id, d.owner_id, d.message_id, d.trigger, excerpt,
        case when j.state = 'running' then 'running' else status end as status,
        created_at, d.attempt_count, next_attempt_at, duration_ms, http_status, error_code,
        case when j.state = 'running' then ${RUNNING} else verdict end as verdict,
        case when j.state = 'running' then null else owner_verdict end as owner_verdict,
        reply_outcome, reply_message_id, reply_reason, replay_of, replay_id
      from bot_delivery d left join job j on j.id = d.id
      where d.realm_id = ${realm_id} and d.bot_id = ${bot_id}
      union all
      select id, ${bot_id}::bigint, owner_id, message_id, trigger, case when state = 'running' then coalesce((
            select left(m.content, ${MAX_LOOKED_AT}) from message m
            where m.realm_id = ${realm_id} and m.id = job.message_id), '') else '' end,
        case when state = 'running' then 'running'
          when attempt_count > 0 then 'retrying' else 'pending' end,
        null, attempt_count, null, null, null, null,
        case when state = 'running' then ${RUNNING} else ${PENDING} end, null,
        'none', null, null, null, null
      from job where not exists (
        select from bot_delivery d where d.realm_id = ${realm_id} and d.id = job.id))
    select * from delivery where ${sql.join(conditions, sql` and `)}
    order by id desc limit ${limit}`.execute(db);
  return rows.map((row) => ({
    ...row,
    created_at: createdAt(row.id),
    excerpt: excerptOf(row.excerpt),
  }));
}

function found(realm_id: RealmId, search: string, reader: UserId): RawBuilder<boolean> {
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return sql<boolean>`(verdict ilike ${pattern} or owner_id = ${reader} and (
    owner_verdict ilike ${pattern} or excerpt ilike ${pattern} or exists (
    select from bot_delivery_attempt a
    where a.realm_id = ${realm_id} and a.delivery_id = delivery.id
      and (a.payload ilike ${pattern} or a.response_body ilike ${pattern}))))`;
}

/** The attempts of a delivery, oldest first. */
export const attemptsOf = (db: Db, { realm_id, id }: { realm_id: RealmId; id: string }) =>
  db
    .selectFrom('bot_delivery_attempt')
    .selectAll()
    .where('realm_id', '=', realm_id)
    .where('delivery_id', '=', id)
    .orderBy('number')
    .execute();

/** Median and 95th percentile of how long the newest 200 deliveries of a bot took, in milliseconds. */
export async function durations(
  db: Db,
  { realm_id, bot_id }: BotKey,
): Promise<{ p50_ms: number | null; p95_ms: number | null }> {
  const { rows } = await sql<{ p50_ms: number | null; p95_ms: number | null }>`
    select round(percentile_cont(0.5) within group (order by duration_ms))::integer as p50_ms,
      round(percentile_cont(0.95) within group (order by duration_ms))::integer as p95_ms
    from (select duration_ms from bot_delivery
      where realm_id = ${realm_id} and bot_id = ${bot_id} and duration_ms is not null
      order by id desc limit 200) as newest`.execute(db);
  return rows[0] ?? { p50_ms: null, p95_ms: null };
}

interface Retention {
  /** UNIX time in seconds; older deliveries are deleted. */
  readonly since: number;
  /** The most deliveries of one bot. */
  readonly most: number;
}

const SWEEP_BATCH = 1000;

/** Deletes a batch of old and surplus deliveries of a realm. Returns whether there may be more. */
export async function removeOld(
  tx: Tx,
  realm_id: RealmId,
  { since, most }: Retention,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from bot_delivery where realm_id = ${realm_id} and id = any(array(
      select id from (
        select id, created_at, status, row_number() over (partition by bot_id order by id desc) as place
        from bot_delivery where realm_id = ${realm_id}) as d
      where (place > ${most} or created_at < to_timestamp(${since}))
        and status not in ('pending', 'retrying')
      limit ${SWEEP_BATCH}))`.execute(tx);
  return Number(numAffectedRows ?? 0) === SWEEP_BATCH;
}
