import type { RealmId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Tx } from '../../engine/call.ts';

/** A webhook is disabled after this many failures in a row over at least this long, or at once by 410. */
const MOST_FAILURES = 20;
const LONGEST_FAILING_SECONDS = 86_400;
/** How often a disabled webhook is given a chance: one success enables it again. */
const PROBE_SECONDS = 1800;

interface Which {
  readonly realm_id: RealmId;
  readonly id: number;
  /** UNIX time in seconds. */
  readonly now: number;
}

/** A webhook that is somewhere else by now is neither praised nor blamed. */
interface Where extends Which {
  readonly base_url: string;
}

const at = (seconds: number) => sql<Date>`to_timestamp(${seconds})`;

/** Takes the chance that a disabled webhook is due; false if it is not, or somebody else took it. */
export async function claimProbe(tx: Tx, { realm_id, id, now }: Which): Promise<boolean> {
  const claimed = await tx
    .updateTable('bot_service')
    .set({ probe_after: at(now + PROBE_SECONDS) })
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .where('disabled_at', 'is not', null)
    .where('probe_after', '<=', at(now))
    .executeTakeFirst();
  return claimed.numUpdatedRows > 0n;
}

/** Forgets earlier failures; writes nothing for a webhook without any. */
export async function recordSuccess(tx: Tx, { realm_id, id, base_url }: Where): Promise<void> {
  await tx
    .updateTable('bot_service')
    .set({ failing_since: null, failures_in_a_row: 0, disabled_at: null, probe_after: null })
    .where('realm_id', '=', realm_id)
    .where('id', '=', id)
    .where('base_url', '=', base_url)
    .where('failures_in_a_row', '>', 0)
    .execute();
}

/** Counts a failure; true if that disabled the webhook. */
export async function recordFailure(
  tx: Tx,
  { realm_id, id, now, base_url }: Where,
  isGone: boolean,
): Promise<boolean> {
  const { rows } = await sql<{ just_disabled: boolean }>`
    with counted as (
      select realm_id, id, disabled_at is not null as was_disabled,
        failures_in_a_row + 1 as failures, coalesce(failing_since, ${at(now)}) as since
      from bot_service where realm_id = ${realm_id} and id = ${id} and base_url = ${base_url}
        for no key update
    ), judged as (
      select *, was_disabled or ${isGone}::boolean or (failures >= ${MOST_FAILURES}
        and since <= ${at(now - LONGEST_FAILING_SECONDS)}) as is_disabled from counted
    )
    update bot_service s set
      failures_in_a_row = judged.failures,
      failing_since = judged.since,
      disabled_at = case when judged.is_disabled then coalesce(s.disabled_at, ${at(now)}) end,
      probe_after = case when judged.is_disabled then ${at(now + PROBE_SECONDS)} end
    from judged where s.realm_id = judged.realm_id and s.id = judged.id
    returning judged.is_disabled and not judged.was_disabled as just_disabled`.execute(tx);
  return rows[0]?.just_disabled ?? false;
}
