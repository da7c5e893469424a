import type { PushOutcome } from '@bellhop/protocol/bouncer';
import { type Kysely, type Selectable, sql } from 'kysely';

import { deleteInBatches } from '../storage/delete-in-batches.ts';
import { DAY_MS, type Sweep } from '../storage/sweep.ts';
import type { BouncerTables, PushOutcomeTable } from '../storage/tables.ts';

type Db = Kysely<BouncerTables>;
export type LoggedOutcome = Selectable<PushOutcomeTable> & { readonly number: number };

interface Sender {
  readonly realm_uuid: string;
  readonly server_uuid: string;
}

/** Adds outcomes to the log of the chat server, once for each push; none if it, or the realm, was deleted. */
export async function logOutcomes(
  tx: Db,
  { realm_uuid, server_uuid }: Sender,
  outcomes: readonly PushOutcome[],
  at: Date,
): Promise<void> {
  if (outcomes.length === 0) return;
  const rows = outcomes.map(
    ({ push_id, device_id, token_id, provider, outcome, reason, provider_id }) => ({
      push_id,
      device_id,
      token_id,
      provider,
      outcome,
      reason,
      provider_id,
    }),
  );
  await sql`
    insert into push_outcome
      (realm_uuid, server_uuid, at, push_id, device_id, token_id, provider, outcome, reason, provider_id)
    select remote_realm.realm_uuid, remote_server.server_uuid, ${at}, push_id, device_id,
      decode(token_id, 'base64'), provider, outcome, reason, provider_id
    from remote_realm, remote_server, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as fresh
      (push_id uuid, device_id bigint, token_id text, provider text, outcome text, reason text,
        provider_id text)
    where remote_realm.realm_uuid = ${realm_uuid} and remote_server.server_uuid = ${server_uuid}
    on conflict (realm_uuid, push_id) do nothing`.execute(tx);
}

/** How many entries get their numbers in one request. */
const MAX_NUMBERED = 10_000;

/**
 * Numbers the entries that have none. Readers of one server take turns, so that an entry which commits
 * late gets a higher number than all that were read before. A number is at least the time in microseconds:
 * the log of a restored backup goes on above every number that the server had read before.
 */
export async function numberEntries(tx: Db, serverUuid: string, nowMs: number): Promise<void> {
  await tx
    .selectFrom('remote_server')
    .select('server_uuid')
    .where('server_uuid', '=', serverUuid)
    .forUpdate()
    .execute();
  const least = nowMs * 1_000;
  await sql`
    with fresh as (
      select realm_uuid, push_id, row_number() over (order by at, push_id) as place
      from push_outcome where server_uuid = ${serverUuid} and number is null
      order by at, push_id limit ${MAX_NUMBERED}
    ), numbered as (
      update push_outcome
      set number = greatest(remote_server.last_feedback_number, ${least}::bigint) + fresh.place
      from fresh, remote_server
      where remote_server.server_uuid = ${serverUuid}
        and push_outcome.realm_uuid = fresh.realm_uuid and push_outcome.push_id = fresh.push_id
      returning 1
    )
    update remote_server set last_feedback_number =
      greatest(last_feedback_number, ${least}::bigint) + (select count(*) from numbered)
    where server_uuid = ${serverUuid} and exists (select from fresh)`.execute(tx);
}

/** Up to `limit` entries with numbers above `after`, in their order. */
export const entriesAfter = (
  db: Db,
  serverUuid: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<LoggedOutcome[]> =>
  db
    .selectFrom('push_outcome')
    .selectAll()
    .where('server_uuid', '=', serverUuid)
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .$narrowType<{ number: number }>()
    .execute();

const KEEP_OUTCOMES_MS = 7 * DAY_MS;

/** Deletes outcomes after 7 days. */
export const sweepOutcomes: Sweep = ({ db, now, signal }) => {
  const where = sql`at < ${new Date(now - KEEP_OUTCOMES_MS)}`;
  return deleteInBatches(db, { table: 'push_outcome', where, orderBy: 'at' }, signal);
};
