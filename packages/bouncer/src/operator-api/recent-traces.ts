import type { BouncerOperator, BouncerTrace, ParamsOf } from '@bellhop/protocol/bouncer';
import { badRequest, MAX_OUTCOME_STEPS } from '@bellhop/protocol/bouncer';
import { type Kysely, sql } from 'kysely';

import type { BouncerTables } from '../storage/tables.ts';
import { readTraces } from '../traces/read-traces.ts';

type Db = Kysely<BouncerTables>;
type PushFilter = ParamsOf<BouncerOperator['pushes']['list']>;
type OutcomeRange = ParamsOf<BouncerOperator['outcomes']['list']>;

const outcome = sql<string>`entry -> 'stage' ->> 'outcome'`;
const provider = sql<string>`coalesce(entry ->> 'provider', 'none')`;

/** The latest notifications that fit the filter, newest first. */
export async function recentTraces(
  db: Db,
  filter: PushFilter,
): Promise<(BouncerTrace & { readonly at_ms: number })[]> {
  let query = db.selectFrom('push_trace').select(['cipher_id', 'at']);
  if (filter.outcome !== undefined) query = query.where(outcome, '=', filter.outcome);
  if (filter.provider !== undefined) query = query.where(provider, '=', filter.provider);
  if (filter.cipher_id !== undefined) query = query.where('cipher_id', '=', filter.cipher_id);
  const rows = await query.orderBy('number', 'desc').limit(filter.limit).execute();
  const times = new Map(rows.toReversed().map(({ cipher_id, at }) => [cipher_id, at.getTime()]));
  if (times.size === 0) return [];
  const traces = await readTraces(db, { cipherIds: [...times.keys()] });
  return traces
    .map((trace) => ({ ...trace, at_ms: times.get(trace.cipher_id) ?? 0 }))
    .toSorted((a, b) => b.at_ms - a.at_ms);
}

const DAY_MS = 86_400_000;

/**
 * Counts notifications by outcome in each step of time, by default of the last 24 hours. Throws BAD_REQUEST
 * for too many steps.
 */
export async function countOutcomes(
  db: Db,
  range: OutcomeRange,
  nowMs: number,
): Promise<{ times: number[]; series: { label: string; values: number[] }[] }> {
  const { step_ms, group_by } = range;
  const to_ms = range.to_ms ?? Math.ceil(nowMs / step_ms) * step_ms;
  const from_ms = range.from_ms ?? Math.max(0, to_ms - DAY_MS);
  const steps = Math.ceil((to_ms - from_ms) / step_ms);
  if (steps < 1) throw badRequest('The range ends before it begins');
  if (steps > MAX_OUTCOME_STEPS)
    throw badRequest(
      `The range has ${steps} steps, and at most ${MAX_OUTCOME_STEPS} are possible: take a longer step or a shorter range`,
    );
  const label = group_by === 'outcome' ? outcome : provider;
  const { rows } = await sql<{ label: string; step: number; count: number }>`
    select ${label} as label,
      floor((extract(epoch from at) * 1000 - ${from_ms}::float8) / ${step_ms}::float8)::int as step,
      count(*)::int as count
    from push_trace
    where at >= to_timestamp(${from_ms}::float8 / 1000) and at < to_timestamp(${to_ms}::float8 / 1000)
      and entry -> 'stage' ->> 'stage' <> 'repetition'
    group by 1, 2 order by 1`.execute(db);
  const series = Map.groupBy(rows, (row) => row.label);
  return {
    times: Array.from({ length: steps }, (_, at) => from_ms + at * step_ms),
    series: [...series].map(([name, counts]) => {
      const values = Array<number>(steps).fill(0);
      for (const { step, count } of counts) if (step in values) values[step] = count;
      return { label: name, values };
    }),
  };
}
