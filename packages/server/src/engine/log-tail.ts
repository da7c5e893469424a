import type { Database } from '@bellhop/postgres';
import type { RealmId } from '@bellhop/protocol';

import type { Tables } from '../tables.ts';
import { eventsAfter, newestSeq } from './event-log.ts';
import type { StoredEvent } from './stored-event.ts';

type Listener = (events: readonly StoredEvent[]) => void;
interface Followed {
  /** The newest event of the realm when the listener was added. */
  readonly seq: number;
  readonly unfollow: () => void;
}

interface FollowedRealm {
  readonly listeners: Set<Listener>;
  readonly started: Promise<void>;
  seq: number;
  reading: boolean;
  again: boolean;
}

/** Listeners called before other work of the process gets a turn: thousands of polls may wait. */
const MAX_CALLS_PER_TURN = 500;

/** Reads new events of the realms for which polls wait on this node. */
export class LogTail {
  readonly #db: Database<Tables>;
  readonly #onError: (error: unknown) => void;
  readonly #followed = new Map<RealmId, FollowedRealm>();

  constructor(db: Database<Tables>, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  /**
   * Calls the listener with the events committed from now on. Returns a function that ends this,
   * and the newest event that was committed before.
   */
  async follow(realm: RealmId, listener: Listener): Promise<Followed> {
    let followed = this.#followed.get(realm);
    if (!followed) {
      const started = newestSeq(this.#db.kysely, realm).then((seq) => {
        created.seq = seq;
      });
      const created: FollowedRealm = {
        listeners: new Set(),
        started,
        seq: Infinity,
        reading: false,
        again: false,
      };
      followed = created;
      this.#followed.set(realm, followed);
    }
    const { listeners, started } = followed;
    listeners.add(listener);
    const unfollow = () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#followed.get(realm)?.listeners === listeners)
        this.#followed.delete(realm);
    };
    try {
      await started;
    } catch (error) {
      unfollow();
      throw error;
    }
    return { seq: followed.seq, unfollow };
  }

  /** Reads new events of one realm, or of all realms that are followed. */
  wake(realm?: RealmId): void {
    const realms = realm === undefined ? [...this.#followed.keys()] : [realm];
    for (const id of realms) {
      const followed = this.#followed.get(id);
      if (!followed) continue;
      if (followed.reading) followed.again = true;
      else this.#read(id, followed).catch(this.#onError);
    }
  }

  async #read(realm: RealmId, followed: FollowedRealm): Promise<void> {
    followed.reading = true;
    try {
      await followed.started;
      do {
        followed.again = false;
        const events = await eventsAfter(this.#db.kysely, realm, followed.seq);
        const newest = events.at(-1);
        if (!newest) continue;
        // Waits for the disk: a power failure could still undo the commit.
        await this.#db.durable();
        followed.seq = newest.seq;
        followed.again = true;
        await callListeners(events, [...followed.listeners]);
      } while (followed.again);
    } finally {
      followed.reading = false;
    }
  }
}

async function callListeners(
  events: readonly StoredEvent[],
  listeners: readonly Listener[],
): Promise<void> {
  for (const [at, listener] of listeners.entries()) {
    if (at > 0 && at % MAX_CALLS_PER_TURN === 0) await new Promise(setImmediate);
    listener(events);
  }
}
