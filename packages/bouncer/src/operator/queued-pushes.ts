import { replay } from '@bellhop/jobs';
import { TokenKind } from '@bellhop/protocol/bouncer';
import { type Kysely, sql } from 'kysely';

import { recordAction } from '../audit/audit-log.ts';
import { retryJobName } from '../retry/retry-job-name.ts';
import type { BouncerTables } from '../storage/tables.ts';
import { type Operator, signatureOf } from './operator.ts';

/** `waiting`: for their next attempt. `ended`: given up or refused; kept for 30 days. */
export type QueueState = 'waiting' | 'ended';

/** Which notifications of the queue are meant: those that fit all that is given. */
export interface QueueFilter {
  readonly state: QueueState;
  readonly provider?: TokenKind | undefined;
  readonly serverUuid?: string | undefined;
  readonly realmUuid?: string | undefined;
  readonly deviceId?: number | undefined;
  /** The most notifications, the oldest first. */
  readonly limit: number;
  /** Leaves out this many of the oldest. */
  readonly offset?: number | undefined;
}

export interface QueuedPush {
  readonly push_id: string;
  readonly state: QueueState;
  readonly provider: TokenKind;
  readonly server_uuid: string;
  readonly realm_uuid: string;
  readonly device_id: number;
  /** The number of attempts in the queue. */
  readonly attempts: number;
  readonly accepted_at: Date;
  /** The time of the next attempt of a waiting notification. */
  readonly next_attempt: Date | null;
  /** The reason of the latest attempt. */
  readonly reason: string | null;
}

const jobStates = { waiting: ['queued'], ended: ['dead'] } as const;
const kindOf = new Map(TokenKind.options.map((kind) => [retryJobName(kind), kind]));

/** The notifications of the queue, without their content. */
export async function queuedPushes(
  db: Kysely<BouncerTables>,
  filter: QueueFilter,
): Promise<QueuedPush[]> {
  const rows = await selectJobs(db, filter);
  return rows.map(({ id: _id, name, ...row }) => ({
    ...row,
    state: filter.state,
    provider: kindOf.get(name) ?? 'fcm',
  }));
}

interface JobRow extends Omit<QueuedPush, 'state' | 'provider'> {
  readonly id: string;
  readonly name: string;
}

async function selectJobs(db: Kysely<BouncerTables>, filter: QueueFilter): Promise<JobRow[]> {
  const { state, provider, serverUuid, realmUuid, deviceId, limit, offset = 0 } = filter;
  const names = provider ? [retryJobName(provider)] : [...kindOf.keys()];
  const { rows } = await sql<JobRow>`
    select id, name, payload->>'push_id' as push_id, payload->>'server_uuid' as server_uuid,
      payload->>'realm_uuid' as realm_uuid, (payload->>'device_id')::bigint as device_id,
      attempt as attempts, to_timestamp((payload->>'accepted_at')::float8 / 1000) as accepted_at,
      case when state = 'queued' then due_at end as next_attempt,
      coalesce(reason, (select error from job_attempt where job_id = job.id
        order by number desc limit 1)) as reason
    from job
    where name = any(${names}) and state = any(${jobStates[state]})
      and (${serverUuid ?? null}::text is null or payload->>'server_uuid' = ${serverUuid ?? null})
      and (${realmUuid ?? null}::text is null or payload->>'realm_uuid' = ${realmUuid ?? null})
      and (${deviceId ?? null}::bigint is null or (payload->>'device_id')::bigint = ${deviceId ?? null})
    order by created_at, id limit ${limit} offset ${offset}`.execute(db);
  return rows;
}

/**
 * Makes these notifications due now; they are given up `seconds` from now. Returns their number.
 * The audit log records the filter and the number.
 */
export async function replayPushes(
  operator: Operator,
  filter: QueueFilter,
  seconds: number,
): Promise<number> {
  const { database, now } = operator;
  const ids = (await selectJobs(database.kysely, filter)).map(({ id }) => id);
  const giveUpAt = Math.round(now() + seconds * 1_000);
  let count = 0;
  for (const id of ids)
    count += await database.transaction(async (tx) => {
      const { numAffectedRows = 0n } = await sql`
        update job set payload = payload || jsonb_build_object('give_up_at', ${giveUpAt}::bigint),
          due_at = case when state = 'queued' then now() else due_at end
        where id = ${id} and state = any(${jobStates[filter.state]})`.execute(tx);
      if (filter.state === 'ended' && numAffectedRows > 0n) await replay(tx, id);
      return Number(numAffectedRows);
    });
  const { state, provider, serverUuid, realmUuid, deviceId } = filter;
  await recordAction(database.kysely, {
    ...signatureOf(operator),
    action: 'pushes_replayed',
    ...(serverUuid === undefined ? {} : { serverUuid }),
    ...(realmUuid === undefined ? {} : { realmUuid }),
    ...(deviceId === undefined ? {} : { deviceId }),
    detail: { state, provider: provider ?? null, seconds, count },
  });
  return count;
}
