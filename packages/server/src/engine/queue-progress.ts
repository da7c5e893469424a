import { badRequest, type RealmId } from '@bellhop/protocol';
import { type Kysely, sql } from 'kysely';

import { byRealm } from './by-realm.ts';
import { newestSeq, seqOf } from './event-log.ts';
import type { Tables } from './tables.ts';

const FORGET_MS = 3_600_000;

/** The position of a queue in the log, according to its row. */
export interface QueuePosition {
  readonly acknowledged_id: number;
  readonly scanned_seq: number;
}
/** A position, and by how much the event IDs that the client sees are lower than those in the log. */
export interface ReadPosition extends QueuePosition {
  readonly id_offset: number;
}
interface AcknowledgedEvent {
  readonly queue_id: string;
  readonly realm: RealmId;
  readonly last_event_id: number;
  /** An event of the realm that exists for certain: no query is needed up to it. */
  readonly known_seq: number;
}
/** The position of a queue in the log, on this node. */
interface Progress {
  readonly realm: RealmId;
  /** The newest event that the client has acknowledged. */
  acknowledged_id: number;
  /** No event after the acknowledged one and up to this one is for the queue. */
  scanned_seq: number;
  /** On the clock of `performance.now()`: that of the machine may be set back. */
  recordedAt: number;
}

/**
 * The positions of the queues polled on this node. Each row is written every `recordMs` at most.
 */
export class QueueProgress {
  readonly #db: Kysely<Tables>;
  readonly #recordMs: number;
  readonly #byQueue = new Map<string, Progress>();

  constructor(db: Kysely<Tables>, recordMs: number) {
    this.#db = db;
    this.#recordMs = recordMs;
  }

  /**
   * Acknowledges the events up to `last_event_id`, an ID as the client sees it. Throws BAD_REQUEST if a
   * later ID was acknowledged or this one never delivered. Returns the new position of the queue.
   */
  async acknowledge(
    { queue_id, realm, last_event_id: given, known_seq }: AcknowledgedEvent,
    { id_offset, ...row }: ReadPosition,
  ): Promise<QueuePosition> {
    const progress = this.#byQueue.get(queue_id) ?? { realm, ...row, recordedAt: -Infinity };
    this.#byQueue.set(queue_id, progress);
    const acknowledged = Math.max(progress.acknowledged_id, row.acknowledged_id);
    const last_event_id = given + id_offset;
    if (last_event_id < acknowledged)
      throw badRequest(`An event newer than ${given} has already been pruned!`);
    if (
      last_event_id > progress.acknowledged_id &&
      seqOf(last_event_id) > known_seq &&
      seqOf(last_event_id) > (await newestSeq(this.#db, realm))
    )
      throw badRequest(`Event ${given} was never in this queue`);
    progress.acknowledged_id = Math.max(progress.acknowledged_id, last_event_id);
    progress.scanned_seq = Math.max(progress.scanned_seq, row.scanned_seq);
    return { acknowledged_id: last_event_id, scanned_seq: progress.scanned_seq };
  }

  /** Remembers that no event after the acknowledged one and up to `seq` is for the queue. */
  scanned(queue_id: string, seq: number): void {
    const progress = this.#byQueue.get(queue_id);
    if (progress && progress.scanned_seq < seq) progress.scanned_seq = seq;
  }

  /** Whether the row of the queue is due to be written. */
  isDue(queue_id: string): boolean {
    const progress = this.#byQueue.get(queue_id);
    return progress !== undefined && performance.now() - progress.recordedAt > this.#recordMs;
  }

  /**
   * Writes to the rows of these queues that they are in use, and how far they have read. Returns
   * the queues that have no row: they were deleted.
   */
  async record(ids: readonly string[]): Promise<string[]> {
    const recorded = new Map(
      ids.flatMap((id) => {
        const progress = this.#byQueue.get(id);
        return progress ? [[id, progress] as const] : [];
      }),
    );
    if (recorded.size === 0) return [];
    for (const progress of recorded.values()) progress.recordedAt = performance.now();
    const written = await byRealm(
      [...recorded],
      ([, { realm }]) => realm,
      (realm, own) => this.#write(realm, own),
    );
    for (const id of written) if (id !== undefined) recorded.delete(id);
    for (const id of recorded.keys()) this.#byQueue.delete(id);
    return [...recorded.keys()];
  }

  /** Writes positions to the rows of a realm. Returns the ID of each queue; undefined if it has no row. */
  async #write(
    realm: RealmId,
    queues: readonly (readonly [id: string, progress: Progress])[],
  ): Promise<(string | undefined)[]> {
    const { rows } = await sql<{ id: string }>`update event_queue q
      set last_active = now(), acknowledged_id = greatest(q.acknowledged_id, k.acknowledged_id),
        scanned_seq = greatest(q.scanned_seq, k.scanned_seq)
      from unnest(${queues.map(([id]) => id)}::uuid[],
        ${queues.map(([, { acknowledged_id }]) => acknowledged_id)}::bigint[],
        ${queues.map(([, { scanned_seq }]) => scanned_seq)}::bigint[])
        k (id, acknowledged_id, scanned_seq)
      where q.realm_id = ${realm} and q.id = k.id returning q.id`.execute(this.#db);
    const ids = new Set(rows.map(({ id }) => id));
    return queues.map(([id]) => (ids.has(id) ? id : undefined));
  }

  /** Removes the progress of queues that were not polled on this node for an hour. */
  forgetIdle(): void {
    const before = performance.now() - FORGET_MS;
    for (const [id, { recordedAt }] of this.#byQueue)
      if (recordedAt < before) this.#byQueue.delete(id);
  }
}
