import type { Database } from '@bellhop/postgres';
import {
  ApiError,
  badRequest,
  isRequestedType,
  type RealmId,
  type UserId,
} from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Tables } from '../tables.ts';
import type { Tx } from './call.ts';
import type { User } from './caller.ts';
import { EVENTS_CHANNEL } from './change.ts';
import {
  EVERYONE_LISTENING,
  eventsFor,
  idOf,
  idOfHeartbeat,
  newestSeq,
  seqDoneAt,
  seqOf,
} from './event-log.ts';
import { sweep } from './event-sweep.ts';
import { LogTail } from './log-tail.ts';
import { presentAsStored, type Presenters, type Reader, type StoredEvent } from './stored-event.ts';

/**
 * The NOTIFY channel that ends the poll of a queue on other nodes: for a new poll, or a deletion.
 */
const POLLS_CHANNEL = 'bellhop_polls';
const HEARTBEAT_MS = 45_000;
const HEARTBEAT_SPREAD_MS = 10_000;
const TAIL_POLL_MS = 1000;
const RECORD_USE_MS = 30_000;
const SWEEP_MS = 60_000;

export interface QueueOptions {
  readonly db: Database<Tables>;
  readonly presenters: Presenters;
  readonly onError: (error: unknown) => void;
  readonly random?: () => number;
  /** The shortest time until a heartbeat. A random time is added. */
  readonly heartbeatMs?: number;
}
export interface Poll {
  readonly realm: RealmId;
  readonly user_id: UserId;
  readonly queue_id: string;
  readonly last_event_id: number;
  readonly dont_block: boolean;
  readonly signal: AbortSignal;
}
type DeliveredEvent = { readonly id: number; readonly type?: string };
/** The use of a queue on this node. It is written to its row every 30 s at most. */
interface QueueProgress {
  readonly realm: RealmId;
  acknowledged_id: number;
  recordedAt: number;
}
interface Queue extends Reader {
  readonly realm: RealmId;
}

/** The event queues. They are rows of the database; a node keeps only the polls that wait on it. */
export class EventQueues {
  readonly #options: QueueOptions;
  readonly #node = crypto.randomUUID();
  readonly #tail: LogTail;
  readonly #waiting = new Map<string, (events: readonly DeliveredEvent[]) => void>();
  readonly #progress = new Map<string, QueueProgress>();
  readonly #stops: (() => void)[] = [];
  readonly #sweptAt = new Map<RealmId, number>();
  #stopping = false;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#tail = new LogTail(options.db, options.onError);
  }

  async start(): Promise<void> {
    const { db, onError } = this.#options;
    this.#stops.push(
      await db.listen(EVENTS_CHANNEL, (realm) =>
        this.#tail.wake(realm === '' ? undefined : (Number(realm) as RealmId)),
      ),
      await db.listen(POLLS_CHANNEL, (text) => this.#endOnThisNode(text)),
      every(TAIL_POLL_MS, () => this.#tail.wake()),
      every(RECORD_USE_MS, () => void this.#recordUse([...this.#waiting.keys()]).catch(onError)),
      every(SWEEP_MS, () => {
        this.#forgetIdle();
        sweep(db.kysely, this.#sweptAt).catch(onError);
      }),
    );
  }

  /** Ends every waiting poll without events: the client polls again, and another node answers. */
  stop(): void {
    this.#stopping = true;
    for (const stop of this.#stops) stop();
    for (const end of this.#waiting.values()) end([]);
  }

  /** The number of polls that wait on this node. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Returns the events of a queue after `last_event_id`, and waits for one if there is none. Throws
   * BAD_EVENT_QUEUE_ID, or BAD_REQUEST if a later ID was acknowledged or this one never delivered.
   */
  async poll(poll: Poll): Promise<readonly DeliveredEvent[]> {
    const queue = await this.#acknowledge(poll);
    this.#endPoll(poll.queue_id);
    const seen: StoredEvent[] = [];
    let onEvents: () => void = () => undefined;
    const unfollow = await this.#tail.follow(poll.realm, (events) => {
      seen.push(...events);
      onEvents();
    });
    try {
      const missed = await this.#catchUp(queue, poll.last_event_id);
      if (missed.length > 0 || poll.dont_block || this.#stopping) return missed;
      return await new Promise((resolve, reject) => {
        const finish = (events: readonly DeliveredEvent[]) => {
          if (this.#waiting.get(poll.queue_id) === finish) this.#waiting.delete(poll.queue_id);
          clearTimeout(timer);
          poll.signal.removeEventListener('abort', onAbort);
          resolve(events);
        };
        const onAbort = () => finish([]);
        const sendHeartbeat = () =>
          finish([{ type: 'heartbeat', id: idOfHeartbeat(poll.last_event_id) }]);
        const { random = Math.random, heartbeatMs = HEARTBEAT_MS } = this.#options;
        const timer = setTimeout(sendHeartbeat, heartbeatMs + random() * HEARTBEAT_SPREAD_MS);
        onEvents = () => {
          try {
            const events = this.#present(queue, seen.splice(0), poll.last_event_id);
            if (events.length > 0) finish(events);
          } catch (error) {
            // Thrown to this poll only: the other polls of the realm still get the event.
            reject(error);
            finish([]);
          }
        };
        this.#waiting.get(poll.queue_id)?.([]);
        this.#waiting.set(poll.queue_id, finish);
        poll.signal.addEventListener('abort', onAbort);
        if (poll.signal.aborted) onAbort();
        else onEvents();
      });
    } finally {
      unfollow();
    }
  }

  /** Deletes a queue and ends its poll. Throws BAD_EVENT_QUEUE_ID. */
  async remove(
    { id: user_id, realm_id }: Pick<User, 'id' | 'realm_id'>,
    queue_id: string,
  ): Promise<void> {
    const gone = await this.#options.db.kysely
      .deleteFrom('event_queue')
      .where('realm_id', '=', realm_id)
      .where('id', '=', checkedId(queue_id))
      .where('user_id', '=', user_id)
      .returning('id')
      .executeTakeFirst();
    if (!gone) throw unknownQueue(queue_id);
    this.#endPoll(queue_id);
  }

  /**
   * Deletes all queues of a user in this transaction, and ends their polls after the commit: the
   * clients must then authenticate again.
   */
  async removeAll(tx: Tx, { id: user_id, realm_id }: Pick<User, 'id' | 'realm_id'>): Promise<void> {
    const gone = await tx
      .deleteFrom('event_queue')
      .where('realm_id', '=', realm_id)
      .where('user_id', '=', user_id)
      .returning('id')
      .execute();
    tx.afterCommit(() => {
      for (const { id } of gone) this.#endPoll(id);
    });
  }

  async #acknowledge({ user_id, realm, queue_id, last_event_id }: Poll): Promise<Queue> {
    const { kysely } = this.#options.db;
    const row = await kysely
      .selectFrom('event_queue')
      .select(['registration', 'acknowledged_id'])
      .where('realm_id', '=', realm)
      .where('id', '=', checkedId(queue_id))
      .where('user_id', '=', user_id)
      .executeTakeFirst();
    if (!row) throw unknownQueue(queue_id);
    const progress = this.#progress.get(queue_id) ?? {
      realm,
      acknowledged_id: row.acknowledged_id,
      recordedAt: 0,
    };
    if (last_event_id < Math.max(progress.acknowledged_id, row.acknowledged_id))
      throw badRequest(`An event newer than ${last_event_id} has already been pruned!`);
    if (
      last_event_id > progress.acknowledged_id &&
      seqOf(last_event_id) > (await newestSeq(kysely, realm))
    )
      throw badRequest(`Event ${last_event_id} was never in this queue`);
    progress.acknowledged_id = last_event_id;
    this.#progress.set(queue_id, progress);
    if (Date.now() - progress.recordedAt > RECORD_USE_MS) await this.#recordUse([queue_id]);
    return { realm, user_id, queue_id, registration: row.registration };
  }

  /** Writes to the rows of these queues that they are in use, and what they acknowledged. */
  async #recordUse(ids: readonly string[]): Promise<void> {
    const recorded = ids.flatMap((id) => {
      const progress = this.#progress.get(id);
      return progress ? [{ id, progress }] : [];
    });
    if (recorded.length === 0) return;
    for (const { progress } of recorded) progress.recordedAt = Date.now();
    await sql`update event_queue q
      set last_active = now(), acknowledged_id = greatest(q.acknowledged_id, k.acknowledged_id)
      from unnest(${recorded.map(({ progress }) => progress.realm)}::bigint[], ${recorded.map(({ id }) => id)}::uuid[],
        ${recorded.map(({ progress }) => progress.acknowledged_id)}::bigint[]) k (realm_id, id, acknowledged_id)
      where q.realm_id = k.realm_id and q.id = k.id`.execute(this.#options.db.kysely);
  }

  /** Removes the progress of queues that were not polled on this node for an hour. */
  #forgetIdle(): void {
    const anHourAgo = Date.now() - 3_600_000;
    for (const [id, { recordedAt }] of this.#progress)
      if (recordedAt < anHourAgo) this.#progress.delete(id);
  }

  async #catchUp(queue: Queue, last_event_id: number): Promise<readonly DeliveredEvent[]> {
    const { realm, user_id, registration } = queue;
    const to = { user_id, everyone: registration.all_public_streams };
    for (let seq = seqDoneAt(last_event_id); ;) {
      const stored = await eventsFor(this.#options.db.kysely, { realm, seq, to });
      const newest = stored.at(-1);
      if (!newest) return [];
      const events = this.#present(queue, stored, last_event_id);
      if (events.length > 0) {
        await this.#options.db.durable();
        return events;
      }
      seq = newest.seq;
    }
  }

  #present(queue: Queue, stored: readonly StoredEvent[], last_event_id: number): DeliveredEvent[] {
    const { user_id, registration } = queue;
    const events: DeliveredEvent[] = [];
    for (const event of stored) {
      const { seq, type, audience } = event;
      const isInAudience =
        audience.includes(user_id) ||
        (registration.all_public_streams && audience.includes(EVERYONE_LISTENING as UserId));
      if (!isInAudience || !isRequestedType(type, registration.event_types)) continue;
      const shown = (this.#options.presenters[type] ?? presentAsStored)(event, queue);
      for (const [part, one] of shown.entries()) {
        const id = idOf(seq, part);
        if (id > last_event_id) events.push({ ...one, id });
      }
    }
    return events;
  }

  /** Ends a waiting poll of the queue, here and on every other node. */
  #endPoll(queue_id: string): void {
    this.#waiting.get(queue_id)?.([]);
    this.#options.db.notify(POLLS_CHANNEL, `${this.#node} ${queue_id}`);
  }

  #endOnThisNode(text: string): void {
    const [node, queue_id = ''] = text.split(' ');
    if (node !== this.#node) this.#waiting.get(queue_id)?.([]);
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const unknownQueue = (queue_id: string) =>
  new ApiError('BAD_EVENT_QUEUE_ID', {
    message: `Bad event queue ID: ${queue_id.slice(0, 100).toWellFormed()}`,
    data: { queue_id },
  });

function checkedId(queue_id: string): string {
  if (!UUID.test(queue_id)) throw unknownQueue(queue_id);
  return queue_id;
}

function every(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms);
  timer.unref();
  return () => clearInterval(timer);
}
