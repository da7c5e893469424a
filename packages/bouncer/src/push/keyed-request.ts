import { createHash, randomUUID } from 'node:crypto';

import { ApiError, type PushItem, type PushOutcome, stringifyJson } from '@bellhop/protocol';
import type { Kysely } from 'kysely';

import type { BouncerTables } from '../tables.ts';

type Db = Kysely<BouncerTables>;

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  readonly realmUuid: string;
  readonly key: string;
  readonly items: readonly PushItem[];
}

/**
 * A request under way holds its key for so long; then its node is taken for dead, and the request may
 * run again. Longer than `deliver` and the writes after it take.
 */
const LEASE_MS = 30_000;

const fingerprintOf = ({ items }: KeyedRequest) =>
  createHash('sha256').update(stringifyJson(items)).digest();

/**
 * Claims the key for a run of the request: undefined if it shall run, else the outcomes of its first
 * run. Throws IDEMPOTENCY_KEY_REUSED if the key came with other items, IDEMPOTENCY_KEY_IN_USE if the
 * first run has not ended.
 */
export async function claimKey(
  db: Db,
  request: KeyedRequest,
  nowMs: number,
): Promise<readonly PushOutcome[] | undefined> {
  const fingerprint = fingerprintOf(request);
  const claimed = await db
    .insertInto('push_request')
    .values({
      realm_uuid: request.realmUuid,
      idempotency_key: request.key,
      fingerprint,
      started_at: new Date(nowMs),
      outcomes: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['realm_uuid', 'idempotency_key'])
        .doUpdateSet({ started_at: new Date(nowMs) })
        .where('push_request.outcomes', 'is', null)
        .where('push_request.fingerprint', '=', fingerprint)
        .where('push_request.started_at', '<', new Date(nowMs - LEASE_MS)),
    )
    .returning('idempotency_key')
    .executeTakeFirst();
  if (claimed) return undefined;
  const earlier = await db
    .selectFrom('push_request')
    .selectAll()
    .where('realm_uuid', '=', request.realmUuid)
    .where('idempotency_key', '=', request.key)
    .executeTakeFirst();
  if (earlier && !earlier.fingerprint.equals(fingerprint))
    throw new ApiError('IDEMPOTENCY_KEY_REUSED');
  if (!earlier?.outcomes) throw keyInUse();
  return earlier.outcomes;
}

/**
 * Stores the answer of the run that claimed the key. Throws IDEMPOTENCY_KEY_IN_USE if another run has
 * done so: the caller's transaction must not write twice what follows from it.
 */
export async function storeOutcomes(
  tx: Db,
  { realmUuid, key }: KeyedRequest,
  outcomes: readonly PushOutcome[],
): Promise<void> {
  const stored = await tx
    .updateTable('push_request')
    .set({ outcomes: JSON.stringify(outcomes) })
    .where('realm_uuid', '=', realmUuid)
    .where('idempotency_key', '=', key)
    .where('outcomes', 'is', null)
    .returning('idempotency_key')
    .executeTakeFirst();
  if (!stored) throw keyInUse();
}

const keyInUse = () => new ApiError('IDEMPOTENCY_KEY_IN_USE', { data: { 'retry-after': 2 } });

/** Gives the key back after a run that failed: the request may run again at once. */
export const releaseKey = (db: Db, { realmUuid, key }: KeyedRequest): Promise<unknown> =>
  db
    .deleteFrom('push_request')
    .where('realm_uuid', '=', realmUuid)
    .where('idempotency_key', '=', key)
    .where('outcomes', 'is', null)
    .execute();

/**
 * The ID of the push for item number `index`. With a key it is the same in every run, so that a
 * provider sees a notification that a dead node has sent, and another one sends again, as the same.
 */
export function pushIdOf(request: KeyedRequest | undefined, index: number): string {
  if (!request) return randomUUID();
  const hash = createHash('sha256')
    .update(`${request.realmUuid}\n${request.key}\n${index}`)
    .digest('hex');
  // Version 8 of RFC 9562: a UUID by an algorithm of one's own.
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}

export const deleteOldRequests = (db: Db, before: Date): Promise<unknown> =>
  db.deleteFrom('push_request').where('started_at', '<', before).execute();
