import { Batcher, batchedReads, type Database, fulfilled } from '@bellhop/postgres';
import { ApiError, MAX_QUEUES_PER_USER, type RealmId, roles, type UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { DeliveredEvent } from './add-event.ts';
import type { Db, Tx } from './call.ts';
import type { User } from './caller.ts';
import { ChannelMembers } from './channel-members.ts';
import { EVENTS_CHANNEL, idOfHeartbeat, rowsFor, seqDoneAt, seqOf } from './event-log.ts';
import { sweep } from './event-sweep.ts';
import { LogTail } from './log-tail.ts';
import { type OpenPoll, OpenPolls, POLL_BATCHES } from './open-polls.ts';
import {
  present,
  type Presentation,
  type Presented,
  type PresentedQueue,
} from './present-events.ts';
import { QueueProgress } from './queue-progress.ts';
import { enterEpoch, type QueueRow, readQueues } from './queue-rows.ts';
import type { StoredEvent } from './stored-event.ts';
import type { Tables } from './tables.ts';
import { Turns } from './turns.ts';

/**
 * The NOTIFY channel that ends the polls of a queue on other nodes: for a new poll, or a deletion.
 */
export const POLLS_CHANNEL = 'bellhop_polls';
const HEARTBEAT_MS = 45_000;
const HEARTBEAT_SPREAD_MS = 10_000;
/** Node keeps one list of timers per duration. */
const HEARTBEAT_STEP_MS = 100;
const TAIL_POLL_MS = 1000;
const RECORD_USE_MS = 30_000;
const SWEEP_MS = 60_000;
/** Polls that read their missed events at a time: the other connections to the database are for requests. */
const MAX_CATCHING_UP = 6;

export type Owner = Pick<User, 'id' | 'realm_id'>;
export interface QueueOptions extends Presentation {
  readonly db: Database<Tables>;
  readonly onError: (error: unknown) => void;
  readonly random?: () => number;
  /** The shortest time until a heartbeat. A random time is added. */
  readonly heartbeatMs?: number;
  /** Interval at which the use of queues is written to their rows. Default 30,000. */
  readonly recordUseMs?: number;
}
export interface Poll {
  readonly realm: RealmId;
  readonly user_id: UserId;
  readonly queue_id: string;
  readonly last_event_id: number;
  readonly dont_block: boolean;
  readonly signal: AbortSignal;
}
interface Queue extends PresentedQueue {
  /** The newest event that is known to need no delivery to the queue. */
  readonly done_seq: number;
}
/** The event queues. They are rows of the database; a node keeps only the polls that run on it. */
export class EventQueues {
  readonly #options: QueueOptions;
  readonly #node = crypto.randomUUID();
  #tail: LogTail;
  readonly #polls = new OpenPolls();
  #progress: QueueProgress;
  readonly #rows: Batcher<Poll, QueueRow | undefined>;
  readonly #entries: Batcher<Poll, undefined>;
  readonly #recordings: Batcher<string, boolean>;
  readonly #catchingUp = new Turns({ atOnce: MAX_CATCHING_UP });
  readonly #recordUseMs: number;
  readonly #stops: (() => void)[] = [];
  readonly #sweptAt = new Map<RealmId, number>();
  #stopping = false;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#tail = new LogTail(options.db, options.onError);
    this.#recordUseMs = options.recordUseMs ?? RECORD_USE_MS;
    this.#progress = new QueueProgress(options.db.kysely, this.#recordUseMs);
    const { kysely } = options.db;
    this.#rows = batchedReads((polls) => readQueues(kysely, polls), POLL_BATCHES);
    this.#entries = new Batcher(async (polls) => {
      await enterEpoch(kysely, polls);
      return fulfilled(polls.map(() => undefined));
    }, POLL_BATCHES);
    this.#recordings = new Batcher(async (ids) => {
      const gone = new Set(await this.#progress.record(ids));
      return fulfilled(ids.map((id) => gone.has(id)));
    }, POLL_BATCHES);
  }

  async start(): Promise<void> {
    const { db, onError } = this.#options;
    const checkQueues = () => void this.#checkQueues().catch(onError);
    this.#stops.push(
      await db.listen(EVENTS_CHANNEL, (realm) =>
        this.#tail.wake(realm === '' ? undefined : (Number(realm) as RealmId)),
      ),
      // Empty after a reconnect: the deletion of a queue may have been missed.
      await db.listen(POLLS_CHANNEL, (text) =>
        text === '' ? checkQueues() : this.#endOnThisNode(text),
      ),
      every(TAIL_POLL_MS, () => this.#tail.wake()),
      every(this.#recordUseMs, checkQueues),
      every(SWEEP_MS, () => void this.#sweep().catch(onError)),
    );
  }

  /** Ends every waiting poll without events: the client polls again, and another node answers. */
  stop(): void {
    this.#stopping = true;
    for (const stop of this.#stops) stop();
    this.#polls.endAll();
  }

  /**
   * Forgets all that this node has read: the database may have lost some of it. Ends every waiting
   * poll without events.
   */
  restart(): void {
    const { db, onError } = this.#options;
    this.#tail = new LogTail(db, onError);
    this.#progress = new QueueProgress(db.kysely, this.#recordUseMs);
    this.#sweptAt.clear();
    this.#polls.endAll();
  }

  /** The number of polls that wait on this node. */
  get waiting(): number {
    return this.#polls.waiting;
  }

  /**
   * Returns the events of a queue after `last_event_id`, and waits for one if there is none. Throws
   * BAD_EVENT_QUEUE_ID, or BAD_REQUEST if a later ID was acknowledged or this one never delivered.
   */
  async poll(given: Poll): Promise<readonly DeliveredEvent[]> {
    const open = this.#polls.open(given.queue_id);
    let poll = given;
    try {
      const { last_event_id, ...queue } = await this.#acknowledge(given);
      poll = { ...given, last_event_id };
      this.#endPolls(poll.queue_id, open);
      const missed = await this.#missedEvents(queue, poll, open);
      if (missed.length === 0 && !poll.dont_block && !this.#stopping)
        // Not awaited: this function would be kept in memory as long as the poll waits.
        return this.#nextEvents(queue, poll, open);
      this.#close(poll, open);
      return missed;
    } catch (error) {
      this.#close(poll, open);
      throw error;
    }
  }

  #close({ realm }: Poll, open: OpenPoll): void {
    this.#tail.unfollow(realm, open);
    this.#polls.close(open);
  }

  /** The events that were committed before now. `open` receives those committed from now on. */
  async #missedEvents(
    queue: Queue,
    { realm, queue_id, last_event_id, dont_block }: Poll,
    open: OpenPoll,
  ): Promise<readonly DeliveredEvent[]> {
    const seq = await this.#tail.follow(realm, open);
    // The tail may lag behind the newest commit: a waiting poll gets the event by NOTIFY.
    const recent = dont_block ? undefined : this.#tail.recent(realm, queue.done_seq);
    const missed = recent
      ? presentedBeforeEnd(queue, await this.#present(queue, recent, last_event_id))
      : await this.#catchingUp.run(`${realm}/${queue.user_id}`, () =>
          this.#catchUp(queue, last_event_id),
        );
    if (missed.length === 0) this.#progress.scanned(queue_id, seq);
    return missed;
  }

  #nextEvents(queue: Queue, poll: Poll, open: OpenPoll): Promise<readonly DeliveredEvent[]> {
    const { queue_id, last_event_id, signal } = poll;
    return new Promise((resolve, reject) => {
      let isFinished = false;
      const finish = (events: readonly DeliveredEvent[]) => {
        isFinished = true;
        open.stopWaiting();
        clearTimeout(timer);
        signal.removeEventListener('abort', onEnd);
        this.#close(poll, open);
        resolve(events);
      };
      const onEnd = () => finish([]);
      const sendHeartbeat = () =>
        finish([{ type: 'heartbeat', id: idOfHeartbeat(last_event_id) - queue.id_offset }]);
      const timer = setTimeout(sendHeartbeat, this.#heartbeatMs());
      const deliver = (stored: readonly StoredEvent[], { events, isEnded }: Presented) => {
        if (events.length > 0 || isEnded) finish(events);
        else this.#progress.scanned(queue_id, stored.at(-1)?.seq ?? 0);
      };
      // The error ends this poll only: the other polls of the realm still get the event.
      const fail = (error: unknown) => {
        reject(error);
        finish([]);
      };
      const onEvents = (stored: readonly StoredEvent[]) => {
        try {
          const presented = this.#present(queue, stored, last_event_id);
          if (!(presented instanceof Promise)) return deliver(stored, presented);
          // The poll keeps the events that come meanwhile until it waits again.
          open.stopWaiting();
          presented
            .then((shown) => {
              if (isFinished) return;
              deliver(stored, shown);
              if (!isFinished) open.wait(waiter);
            })
            .catch(fail);
        } catch (error) {
          fail(error);
        }
      };
      const waiter = { onEvents, onEnd };
      signal.addEventListener('abort', onEnd);
      if (signal.aborted) onEnd();
      else open.wait(waiter);
    });
  }

  #heartbeatMs(): number {
    const { random = Math.random, heartbeatMs = HEARTBEAT_MS } = this.#options;
    const steps = Math.round((random() * HEARTBEAT_SPREAD_MS) / HEARTBEAT_STEP_MS);
    return heartbeatMs + steps * HEARTBEAT_STEP_MS;
  }

  /** Deletes a queue in this transaction, and ends its polls after the commit. Throws BAD_EVENT_QUEUE_ID. */
  async remove(tx: Tx, { id: user_id, realm_id }: Owner, queue_id: string): Promise<void> {
    checkId(queue_id);
    const gone = await tx
      .deleteFrom('event_queue')
      .where('realm_id', '=', realm_id)
      .where('id', '=', queue_id)
      .where('user_id', '=', user_id)
      .returning('id')
      .executeTakeFirst();
    if (!gone) throw unknownQueue(queue_id);
    tx.afterCommit(() => this.#endPolls(queue_id));
  }

  /**
   * Deletes all queues of users in this transaction, and ends their polls after the commit. For
   * `Change.endQueues`, which also ends them for a poll that reads the events of the change.
   */
  async removeOf(tx: Tx, realm: RealmId, users: readonly UserId[]): Promise<void> {
    const gone = await tx
      .deleteFrom('event_queue')
      .where('realm_id', '=', realm)
      .where(sql<boolean>`user_id = any(${users}::bigint[])`)
      .returning('id')
      .execute();
    tx.afterCommit(() => {
      for (const { id } of gone) this.#endPolls(id);
    });
  }

  /**
   * Deletes those of a user's queues beyond MAX_QUEUES_PER_USER that were not polled for the longest
   * time, but not `newest`, and ends their polls.
   */
  async removeSurplus({ id: user_id, realm_id }: Owner, newest: string): Promise<void> {
    // OFFSET and FOR UPDATE in one SELECT would lock the queues that stay.
    const gone = await sql<{ id: string }>`delete from event_queue
      where realm_id = ${realm_id} and id = any(array(
        select id from event_queue where realm_id = ${realm_id} and id = any(array(
          select id from event_queue
          where realm_id = ${realm_id} and user_id = ${user_id} and id <> ${newest}
          order by last_active desc, id offset ${MAX_QUEUES_PER_USER - 1}))
        for update skip locked))
      returning id`.execute(this.#options.db.kysely);
    for (const { id } of gone.rows) this.#endPolls(id);
  }

  async #acknowledge(poll: Poll): Promise<Queue & Pick<Poll, 'last_event_id'>> {
    const { user_id, realm, queue_id } = poll;
    checkId(queue_id);
    const row = await this.#rows.add(poll);
    if (!row) throw unknownQueue(queue_id);
    const { registration, role, is_limited, id_offset, kept_seq } = row;
    if (kept_seq !== null) {
      // The client has seen an event that was lost, and its ID is now another event.
      if (seqOf(poll.last_event_id + id_offset) > kept_seq) throw unknownQueue(queue_id);
      await this.#entries.add(poll);
    }
    // Guests hear only the channels of theirs, whatever the queue was registered for.
    const hears_all = registration.all_public_streams && role < roles.guest;
    const known_seq = this.#tail.newest(realm) ?? 0;
    const position = await this.#progress.acknowledge({ ...poll, known_seq }, row);
    const { acknowledged_id: last_event_id, scanned_seq } = position;
    if (this.#progress.isDue(queue_id)) await this.#recordings.add(queue_id);
    const done_seq = Math.max(seqDoneAt(last_event_id), scanned_seq);
    const listener = { user_id, role, hears_all, is_limited };
    return { realm, ...listener, queue_id, registration, id_offset, done_seq, last_event_id };
  }

  /** Records the use of the queues polled on this node, and ends the polls of deleted queues. */
  async #checkQueues(): Promise<void> {
    for (const id of await this.#progress.record(this.#polls.queueIds())) this.#polls.end(id);
  }

  async #sweep(): Promise<void> {
    this.#progress.forgetIdle();
    for (const id of await sweep(this.#options.db, this.#sweptAt)) this.#endPolls(id);
  }

  #catchUp(queue: Queue, last_event_id: number): Promise<readonly DeliveredEvent[]> {
    const { realm, user_id: user } = queue;
    const read = async (db: Db): Promise<readonly DeliveredEvent[]> => {
      const members = new ChannelMembers({ realm, user });
      for (let seq = queue.done_seq; ;) {
        const rows = await rowsFor(db, { realm, seq, to: queue });
        const newest = rows.at(-1);
        if (!newest) return [];
        const stored = members.resolve(rows, await members.load(db, rows, seq));
        const events = presentedBeforeEnd(queue, await this.#present(queue, stored, last_event_id));
        if (events.length > 0) return events;
        seq = newest.seq;
      }
    };
    return this.#options.db.readDurable(read, (events) => events.length === 0);
  }

  #present(queue: Queue, stored: readonly StoredEvent[], after: number) {
    return present(this.#options, { queue, stored, after });
  }

  /** Ends the polls of the queue on every node; on this node only those opened before `later`. */
  #endPolls(queue_id: string, later?: OpenPoll): void {
    this.#polls.end(queue_id, later);
    this.#options.db.notify(POLLS_CHANNEL, `${this.#node} ${queue_id}`);
  }

  #endOnThisNode(text: string): void {
    const [node, queue_id = ''] = text.split(' ');
    if (node !== this.#node) this.#polls.end(queue_id);
  }
}

/** Deletes all event queues of a realm in this transaction, and ends their polls after the commit. */
export async function removeQueuesOfRealm(tx: Tx, realm_id: RealmId): Promise<void> {
  await tx.deleteFrom('event_queue').where('realm_id', '=', realm_id).execute();
  // Every node looks which of its polls have lost their queues.
  tx.notify(POLLS_CHANNEL, '');
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const unknownQueue = (queue_id: string) =>
  new ApiError('BAD_EVENT_QUEUE_ID', {
    message: `Bad event queue ID: ${queue_id.slice(0, 100).toWellFormed()}`,
    data: { queue_id },
  });

/** The events of a poll. Throws BAD_EVENT_QUEUE_ID if there are none and a change ended the queue. */
function presentedBeforeEnd(
  { queue_id }: Queue,
  { events, isEnded }: Presented,
): readonly DeliveredEvent[] {
  if (isEnded && events.length === 0) throw unknownQueue(queue_id);
  return events;
}

function checkId(queue_id: string): void {
  if (!UUID.test(queue_id)) throw unknownQueue(queue_id);
}

function every(ms: number, work: () => void): () => void {
  const timer = setInterval(work, ms);
  timer.unref();
  return () => clearInterval(timer);
}
