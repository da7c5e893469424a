import type { RealmId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Tx } from '../../engine/call.ts';

/** A webhook is disabled after this many consecutive failures over at least this time, or by a 410. */
const MAX_FAILURES = 20;
const MAX_FAILING_SECONDS = 86_400;
/** Seconds between the attempts at a disabled webhook; a success enables it again. */
const PROBE_SECONDS = 1800;

interface Webhook {
  readonly realm_id: RealmId;
  readonly id: number;
  /** UNIX time in seconds. */
  readonly now: number;
}

/** The result counts only if the webhook still has the URL that was called. */
interface CalledWebhook extends Webhook {
  readonly base_url: string;
}

const at = (seconds: number) => sql<Date>`to_timestamp(${seconds})`;

/** Claims the next attempt at a disabled webhook; false if it is not due or already claimed. */
export async function claimProbe(tx: Tx, { realm_id, id, now }: Webhook): Promise<boolean> {
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

/** Clears the failures of a webhook, together with the commit; writes nothing if it has none. */
export function recordSuccess(tx: Tx, { realm_id, id, base_url }: CalledWebhook): void {
  tx.last(
    tx
      .updateTable('bot_service')
      .set({ failing_since: null, failures_in_a_row: 0, disabled_at: null, probe_after: null })
      .where('realm_id', '=', realm_id)
      .where('id', '=', id)
      .where('base_url', '=', base_url)
      .where('failures_in_a_row', '>', 0),
  );
}

/** Counts a failure; true if it disabled the webhook. */
export async function recordFailure(
  tx: Tx,
  { realm_id, id, now, base_url }: CalledWebhook,
  isGone: boolean,
): Promise<boolean> {
  const { rows } = await sql<{ just_disabled: boolean }>`
    with counted as (
      select id, disabled_at is not null as was_disabled,
        failures_in_a_row + 1 as failures, coalesce(failing_since, ${at(now)}) as since
      from bot_service where realm_id = ${realm_id} and id = ${id} and base_url = ${base_url}
        for no key update
    ), decided as (
      select *, was_disabled or ${isGone}::boolean or (failures >= ${MAX_FAILURES}
        and since <= ${at(now - MAX_FAILING_SECONDS)}) as is_disabled from counted
    )
    update bot_service s set
      failures_in_a_row = decided.failures,
      failing_since = decided.since,
      disabled_at = case when decided.is_disabled then coalesce(s.disabled_at, ${at(now)}) end,
      probe_after = case when decided.is_disabled then ${at(now + PROBE_SECONDS)} end
    from decided where s.realm_id = ${realm_id} and s.id = decided.id
    returning decided.is_disabled and not decided.was_disabled as just_disabled`.execute(tx);
  return rows[0]?.just_disabled ?? false;
}
