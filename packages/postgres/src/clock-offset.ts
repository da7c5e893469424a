import { type Kysely, sql } from 'kysely';

/** A clock that is further off is worth a warning: clocks that are kept right differ by less than one second. */
const TOLERANCE_SECONDS = 10;

/** By how many seconds a clock (UNIX milliseconds) is ahead of the database's; negative: behind. */
export async function clockOffset<Tables>(
  kysely: Kysely<Tables>,
  now: () => number,
): Promise<number> {
  const before = now();
  const { rows } = await sql<{ now: number }>`select
    (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(kysely);
  return Math.round((before + now()) / 2 - Number(rows[0]?.now)) / 1000;
}

export const isClockOff = (seconds: number): boolean => Math.abs(seconds) > TOLERANCE_SECONDS;
