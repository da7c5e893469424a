import type { Database } from '@bellhop/postgres';
import { ApiError, badRequest, type RealmId, type UserId } from '@bellhop/protocol';
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
import { plainly, type Presenters, type Reader, type StoredEvent, wants } from './stored-event.ts';

/** Ends the poll of a queue on every other node: a new poll came, or the queue was deleted. */
const POLLS_CHANNEL = 'bellhop_polls';
const HEARTBEAT_MS = 45_000;
const HEARTBEAT_SPREAD_MS = 10_000;
const NOTICE_MS = 1000;
const KEEP_MS = 30_000;
const SWEEP_MS = 60_000;

export interface QueueOptions {
  readonly db: Database<Tables>;
  readonly presenters: Presenters;
  readonly onError: (error: unknown) => void;
  readonly random?: () => number;
  /** The least time until a heartbeat; some more is added at random. */
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
type Delivered = { readonly id: number; readonly type?: string };
/** What this node knows of a queue beyond its row, which is written every 30 s at most. */
interface Known {
  readonly realm: RealmId;
  acknowledged_id: number;
  keptAt: number;
}
interface Queue extends Reader {
  readonly realm: RealmId;
}

/** Event queues are rows; this holds only the polls that wait on this node. */
export class EventQueues {
  readonly #options: QueueOptions;
  readonly #node = crypto.randomUUID();
  readonly #tail: LogTail;
  readonly #waiting = new Map<string, (events: readonly Delivered[]) => void>();
  readonly #known = new Map<string, Known>();
  readonly #ends: (() => void)[] = [];
  readonly #sweptAt = new Map<RealmId, number>();
  #stopping = false;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#tail = new LogTail(options.db, options.onError);
  }

  async start(): Promise<void> {
    const { db, onError } = this.#options;
    this.#ends.push(
      await db.listen(EVENTS_CHANNEL, (realm) =>
        this.#tail.wake(realm === '' ? undefined : (Number(realm) as RealmId)),
      ),
      await db.listen(POLLS_CHANNEL, (text) => this.#endElsewhere(text)),
      every(NOTICE_MS, () => this.#tail.wake()),
      every(KEEP_MS, () => void this.#keep([...this.#waiting.keys()]).catch(onError)),
      every(SWEEP_MS, () => {
        this.#forget();
        sweep(db.kysely, this.#sweptAt).catch(onError);
      }),
    );
  }

  /** Ends every waiting poll with no events: the client asks again, another node answers. */
  stop(): void {
    this.#stopping = true;
    for (const end of this.#ends) end();
    for (const end of this.#waiting.values()) end([]);
  }

  /** How many polls wait here. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * The events of a queue after `last_event_id`, waiting for one if there is none. Throws
   * BAD_EVENT_QUEUE_ID, or BAD_REQUEST for an id that was acknowledged past or never delivered.
   */
  async poll(poll: Poll): Promise<readonly Delivered[]> {
    const queue = await this.#acknowledge(poll);
    this.#end(poll.queue_id);
    const seen: StoredEvent[] = [];
    let offered: () => void = () => undefined;
    const leave = await this.#tail.follow(poll.realm, (events) => {
      seen.push(...events);
      offered();
    });
    try {
      const missed = await this.#catchUp(queue, poll.last_event_id);
      if (missed.length > 0 || poll.dont_block || this.#stopping) return missed;
      return await new Promise((resolve, reject) => {
        const finish = (events: readonly Delivered[]) => {
          if (this.#waiting.get(poll.queue_id) === finish) this.#waiting.delete(poll.queue_id);
          clearTimeout(timer);
          poll.signal.removeEventListener('abort', gone);
          resolve(events);
        };
        const gone = () => finish([]);
        const beat = () => finish([{ type: 'heartbeat', id: idOfHeartbeat(poll.last_event_id) }]);
        const { random = Math.random, heartbeatMs = HEARTBEAT_MS } = this.#options;
        const timer = setTimeout(beat, heartbeatMs + random() * HEARTBEAT_SPREAD_MS);
        offered = () => {
          try {
            const events = this.#present(queue, seen.splice(0), poll.last_event_id);
            if (events.length > 0) finish(events);
          } catch (error) {
            // The poll of one queue must not keep the event from all the others.
            reject(error);
            finish([]);
          }
        };
        this.#waiting.get(poll.queue_id)?.([]);
        this.#waiting.set(poll.queue_id, finish);
        poll.signal.addEventListener('abort', gone);
        if (poll.signal.aborted) gone();
        else offered();
      });
    } finally {
      leave();
    }
  }

  /** Drops a queue and ends its poll. Throws BAD_EVENT_QUEUE_ID. */
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
    this.#end(queue_id);
  }

  /**
   * Drops all queues of a user with the transaction, and ends their polls when it has committed:
   * who polls again must log in again.
   */
  async removeAll(tx: Tx, { id: user_id, realm_id }: Pick<User, 'id' | 'realm_id'>): Promise<void> {
    const gone = await tx
      .deleteFrom('event_queue')
      .where('realm_id', '=', realm_id)
      .where('user_id', '=', user_id)
      .returning('id')
      .execute();
    tx.afterCommit(() => {
      for (const { id } of gone) this.#end(id);
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
    const known = this.#known.get(queue_id) ?? {
      realm,
      acknowledged_id: row.acknowledged_id,
      keptAt: 0,
    };
    if (last_event_id < Math.max(known.acknowledged_id, row.acknowledged_id))
      throw badRequest(`An event newer than ${last_event_id} has already been pruned!`);
    if (
      last_event_id > known.acknowledged_id &&
      seqOf(last_event_id) > (await newestSeq(kysely, realm))
    )
      throw badRequest(`Event ${last_event_id} was never in this queue`);
    known.acknowledged_id = last_event_id;
    this.#known.set(queue_id, known);
    if (Date.now() - known.keptAt > KEEP_MS) await this.#keep([queue_id]);
    return { realm, user_id, queue_id, registration: row.registration };
  }

  /** Records that these queues are in use, and up to where they were read. */
  async #keep(ids: readonly string[]): Promise<void> {
    const kept = ids.flatMap((id) => {
      const known = this.#known.get(id);
      return known ? [{ id, known }] : [];
    });
    if (kept.length === 0) return;
    for (const { known } of kept) known.keptAt = Date.now();
    await sql`update event_queue q
      set last_active = now(), acknowledged_id = greatest(q.acknowledged_id, k.acknowledged_id)
      from unnest(${kept.map(({ known }) => known.realm)}::bigint[], ${kept.map(({ id }) => id)}::uuid[],
        ${kept.map(({ known }) => known.acknowledged_id)}::bigint[]) k (realm_id, id, acknowledged_id)
      where q.realm_id = k.realm_id and q.id = k.id`.execute(this.#options.db.kysely);
  }

  /** Forgets queues that were not polled here for an hour. */
  #forget(): void {
    const longAgo = Date.now() - 3_600_000;
    for (const [id, { keptAt }] of this.#known) if (keptAt < longAgo) this.#known.delete(id);
  }

  async #catchUp(queue: Queue, last_event_id: number): Promise<readonly Delivered[]> {
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

  #present(queue: Queue, stored: readonly StoredEvent[], last_event_id: number): Delivered[] {
    const { user_id, registration } = queue;
    const events: Delivered[] = [];
    for (const event of stored) {
      const { seq, type, audience } = event;
      const heard =
        audience.includes(user_id) ||
        (registration.all_public_streams && audience.includes(EVERYONE_LISTENING as UserId));
      if (!heard || !wants(registration, type)) continue;
      const shown = (this.#options.presenters[type] ?? plainly)(event, queue);
      for (const [part, one] of shown.entries()) {
        const id = idOf(seq, part);
        if (id > last_event_id) events.push({ ...one, id });
      }
    }
    return events;
  }

  /** Ends a waiting poll of the queue, here and on every other node. */
  #end(queue_id: string): void {
    this.#waiting.get(queue_id)?.([]);
    this.#options.db.notify(POLLS_CHANNEL, `${this.#node} ${queue_id}`);
  }

  #endElsewhere(text: string): void {
    const [node, queue_id = ''] = text.split(' ');
    if (node !== this.#node) this.#waiting.get(queue_id)?.([]);
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const unknownQueue = (queue_id: string) =>
  new ApiError('BAD_EVENT_QUEUE_ID', {
    message: `Bad event queue ID: ${queue_id.slice(0, 100)}`,
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
