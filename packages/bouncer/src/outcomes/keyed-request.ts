import { hash, randomUUID } from 'node:crypto';

import { type Database, jsonb } from '@bellhop/postgres';
import {
  ApiError,
  type PushItem,
  type PushOutcome,
  stringifyJson,
} from '@bellhop/protocol/bouncer';
import { type Compilable, type Kysely, sql } from 'kysely';

import { deleteInBatches } from '../storage/delete-in-batches.ts';
import { DAY_MS, type Sweep } from '../storage/sweep.ts';
import type { BouncerTables } from '../storage/tables.ts';

type Db = Kysely<BouncerTables>;

/** A request with an Idempotency-Key. */
export interface KeyedRequest {
  readonly realmUuid: string;
  readonly key: string;
  /** A hash for each item, in the order of the request; equal items have different ones. */
  readonly itemHashes: readonly string[];
}

export function keyedRequest(
  { realmUuid, key }: Pick<KeyedRequest, 'realmUuid' | 'key'>,
  items: readonly PushItem[],
): KeyedRequest {
  const counts = new Map<string, number>();
  const itemHashes = items.map((item) => {
    const text = stringifyJson(item);
    const count = (counts.get(text) ?? 0) + 1;
    counts.set(text, count);
    return hash('sha256', `${count} ${text}`, 'base64').slice(0, HASH_LENGTH);
  });
  return { realmUuid, key, itemHashes };
}

/** Base64 characters: 96 bits distinguish the items of one request. */
const HASH_LENGTH = 16;

/**
 * How long a request holds its key, in milliseconds. After that its node counts as dead, and the
 * request may run again. Longer than `deliver` and the writes after it take.
 */
const LEASE_MS = 30_000;

/** The outcomes of the first run of a request, or the rows that were read for this run. */
export type Claim<Row> = { readonly earlier: readonly PushOutcome[] } | { readonly rows: Row[] };

/**
 * Claims the key for a run of the request, and reads what this run needs by the same round trip;
 * returns the outcomes of the first run if there was one. A repetition may leave items out: a chat
 * server repeats only what its users may still read. Throws IDEMPOTENCY_KEY_REUSED if it has items that
 * the first request had not, IDEMPOTENCY_KEY_IN_USE if the first run has not ended.
 *
 * The claim does not wait for the disk: `storeOutcomes` makes up for one that a power cut has undone.
 */
export async function claimKey<Row>(
  database: Database<BouncerTables>,
  { request, nowMs }: { readonly request: KeyedRequest; readonly nowMs: number },
  reading: (tx: Db) => Compilable<Row>,
): Promise<Claim<Row>> {
  const { realmUuid: realm_uuid, key: idempotency_key } = request;
  const run = { item_hashes: [...request.itemHashes], started_at: new Date(nowMs) };
  const { inserted, read } = await database.transaction(
    async (tx) => ({
      inserted: tx.last(
        tx
          .insertInto('push_request')
          .values({ realm_uuid, idempotency_key, ...run, outcomes: null })
          .onConflict((conflict) => conflict.columns(['realm_uuid', 'idempotency_key']).doNothing())
          .returning('idempotency_key'),
      ),
      read: tx.last(reading(tx)),
    }),
    { groupFlush: () => false },
  );
  if (inserted.rows.length > 0) return { rows: read.rows };
  const earlier = await database.readDurable((db) =>
    db
      .selectFrom('push_request')
      .selectAll()
      .where('realm_uuid', '=', realm_uuid)
      .where('idempotency_key', '=', idempotency_key)
      .executeTakeFirst(),
  );
  if (!earlier) throw keyInUse();
  const indexes = request.itemHashes.map((hash) => earlier.item_hashes.indexOf(hash));
  if (indexes.includes(-1)) throw new ApiError('IDEMPOTENCY_KEY_REUSED');
  const { outcomes } = earlier;
  if (outcomes) return { earlier: indexes.flatMap((index) => outcomes[index] ?? []) };
  const claimed = await database.kysely
    .updateTable('push_request')
    .set(run)
    .where('realm_uuid', '=', realm_uuid)
    .where('idempotency_key', '=', idempotency_key)
    .where('outcomes', 'is', null)
    .where('started_at', '=', earlier.started_at)
    .where('started_at', '<', new Date(nowMs - LEASE_MS))
    .returning('idempotency_key')
    .executeTakeFirst();
  if (!claimed) throw keyInUse();
  return { rows: read.rows };
}

interface Answer {
  readonly outcomes: readonly PushOutcome[];
  readonly at: Date;
}

/** Returns a row if the answer is stored: no other run has stored one. */
const answerQuery = ({ realmUuid, key, itemHashes }: KeyedRequest, { outcomes, at }: Answer) =>
  sql<{ idempotency_key: string }>`
    insert into push_request as stored (realm_uuid, idempotency_key, item_hashes, started_at, outcomes)
    select realm_uuid, ${key}, ${itemHashes}::text[], ${at}, ${jsonb(outcomes)}
    from remote_realm where realm_uuid = ${realmUuid}
    on conflict (realm_uuid, idempotency_key) do update set outcomes = excluded.outcomes
      where stored.outcomes is null
    returning idempotency_key`;

/**
 * Stores the answer of the run that claimed the key. Throws IDEMPOTENCY_KEY_IN_USE if another run
 * has stored one: the caller's transaction must not write its consequences twice.
 */
export async function storeOutcomes(tx: Db, request: KeyedRequest, answer: Answer): Promise<void> {
  const { rows } = await answerQuery(request, answer).execute(tx);
  if (rows.length === 0) throw keyInUse();
}

/** Like `storeOutcomes`, for an answer without further consequences: it costs one round trip. */
export async function storeOutcomesAlone(
  database: Database<BouncerTables>,
  request: KeyedRequest,
  answer: Answer,
): Promise<void> {
  const stored = await database.transaction(
    async (tx) => tx.last(answerQuery(request, answer).compile(tx)),
    { groupFlush: true },
  );
  if (stored.rows.length === 0) throw keyInUse();
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
 * provider recognizes a notification that one node has sent before it died and another node sends
 * again.
 */
export function pushIdOf(request: KeyedRequest | undefined, index: number): string {
  if (!request) return randomUUID();
  const { realmUuid, key, itemHashes } = request;
  const digits = hash('sha256', `${realmUuid}\n${key}\n${itemHashes[index]}`);
  // Version 8 of RFC 9562: a UUID by an algorithm of one's own.
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}

/** Deletes keys after a day. */
export const sweepKeys: Sweep = ({ db, now, signal }) => {
  const where = sql`started_at < ${new Date(now - DAY_MS)}`;
  return deleteInBatches(db, { table: 'push_request', where, orderBy: 'started_at' }, signal);
};
