import type { Database } from '@bellhop/postgres';
import type { RealmId } from '@bellhop/protocol';

import { ChannelMembers } from './channel-members.ts';
import { newestSeq, newestSeqs, rowsAfter } from './event-log.ts';
import type { StoredEvent } from './stored-event.ts';
import type { Tables } from './tables.ts';

interface Listener {
  readonly receive: (events: readonly StoredEvent[]) => void;
}

interface FollowedRealm {
  readonly listeners: Set<Listener>;
  /** Resolves when `seq` is known. */
  readonly started: Promise<void>;
  /** The newest event that the listeners were called with. Infinity until `started`. */
  seq: number;
  /** The members of channels as of `seq`. */
  members: ChannelMembers;
  isReading: boolean;
  /** The newest events that the listeners were called with: all after `recentAfter`. */
  recent: StoredEvent[];
  recentAfter: number;
  /** When the last listener was removed, on the clock of `performance.now()`. */
  unfollowedAt: number;
}

/** Listeners called before other work of the process gets a turn: thousands of polls may wait. */
const MAX_CALLS_PER_TURN = 500;
/** Realms read at a time: the other connections to the database are for requests. */
const MAX_READERS = 4;
/** Events kept per realm for the polls that come back after the last one. */
const MAX_RECENT = 100;
/** How long a realm is read after the last poll for it. Clients poll again at once. */
const KEEP_MS = 30_000;

/** Reads new events of the realms for which polls wait on this node. */
export class LogTail {
  readonly #db: Database<Tables>;
  readonly #onError: (error: unknown) => void;
  readonly #followed = new Map<RealmId, FollowedRealm>();
  /** Realms that may have new events. */
  readonly #due = new Set<RealmId>();
  #readers = 0;
  #isComparing = false;

  constructor(db: Database<Tables>, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  /**
   * Calls the listener with the events committed from now on, until `unfollow`. Returns the newest
   * event that was committed before.
   */
  async follow(realm: RealmId, listener: Listener): Promise<number> {
    const followed = this.#followed.get(realm) ?? this.#start(realm);
    followed.listeners.add(listener);
    try {
      await followed.started;
    } catch (error) {
      if (this.#followed.get(realm) === followed) this.#followed.delete(realm);
      throw error;
    }
    return followed.seq;
  }

  unfollow(realm: RealmId, listener: Listener): void {
    const followed = this.#followed.get(realm);
    followed?.listeners.delete(listener);
    if (followed?.listeners.size === 0) followed.unfollowedAt = performance.now();
  }

  #start(realm: RealmId): FollowedRealm {
    const started = this.#db
      .readDurable((db) => newestSeq(db, realm))
      .then((seq) => {
        followed.seq = seq;
        followed.recentAfter = seq;
      });
    const followed: FollowedRealm = {
      listeners: new Set(),
      started,
      seq: Infinity,
      members: new ChannelMembers({ realm }),
      isReading: false,
      recent: [],
      recentAfter: Infinity,
      unfollowedAt: 0,
    };
    this.#followed.set(realm, followed);
    return followed;
  }

  /** The newest event of a realm that was read; undefined if the realm is not followed. */
  newest(realm: RealmId): number | undefined {
    const seq = this.#followed.get(realm)?.seq;
    return seq === Infinity ? undefined : seq;
  }

  /** The events of a realm that were read after `seq`; undefined if not all of them are kept. */
  recent(realm: RealmId, seq: number): readonly StoredEvent[] | undefined {
    const followed = this.#followed.get(realm);
    if (!followed || seq < followed.recentAfter) return undefined;
    return followed.recent.filter((event) => event.seq > seq);
  }

  /** Reads new events of one realm, or of all followed realms that have some. */
  wake(realm?: RealmId): void {
    if (realm !== undefined) this.#read([realm]);
    else void this.#compare();
  }

  /** Asks once for the newest events of all followed realms, and reads those that have new ones. */
  async #compare(): Promise<void> {
    if (this.#isComparing || this.#followed.size === 0) return;
    this.#isComparing = true;
    this.#forgetUnused();
    try {
      const newest = await newestSeqs(this.#db.kysely, [...this.#followed.keys()]);
      const behind = newest.filter(
        ({ realm_id, last_seq }) => last_seq > (this.#followed.get(realm_id)?.seq ?? Infinity),
      );
      this.#read(behind.map(({ realm_id }) => realm_id));
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#isComparing = false;
    }
  }

  #forgetUnused(): void {
    const before = performance.now() - KEEP_MS;
    for (const [realm, { listeners, unfollowedAt }] of this.#followed)
      if (listeners.size === 0 && unfollowedAt < before) this.#followed.delete(realm);
  }

  #read(realms: readonly RealmId[]): void {
    for (const realm of realms) if (this.#followed.has(realm)) this.#due.add(realm);
    for (let idle = MAX_READERS - this.#readers; idle > 0 && this.#due.size > 0; idle -= 1)
      void this.#readDue();
  }

  /** One reader: reads a page of a due realm at a time until no realm is due. */
  async #readDue(): Promise<void> {
    this.#readers += 1;
    for (let next = this.#nextDue(); next; next = this.#nextDue()) {
      const [realm, followed] = next;
      followed.isReading = true;
      try {
        // The realm may have more events than one page.
        if (await this.#readPage(realm, followed)) this.#due.add(realm);
      } catch (error) {
        this.#onError(error);
      }
      followed.isReading = false;
    }
    this.#readers -= 1;
  }

  /** Takes a realm that no other reader is reading. */
  #nextDue(): [RealmId, FollowedRealm] | undefined {
    for (const realm of this.#due) {
      const followed = this.#followed.get(realm);
      if (followed?.isReading) continue;
      this.#due.delete(realm);
      if (followed) return [realm, followed];
    }
    return undefined;
  }

  /** Whether there were new events. */
  async #readPage(realm: RealmId, followed: FollowedRealm): Promise<boolean> {
    await followed.started;
    const { rows, loaded } = await this.#db.readDurable(
      async (db) => {
        const found = await rowsAfter(db, realm, followed.seq);
        const before = found[0] ? found[0].seq - 1 : followed.seq;
        // Rows that no queue needed were swept before this node read them, and memberships with them.
        if (before > followed.seq) followed.members = new ChannelMembers({ realm });
        return { rows: found, loaded: await followed.members.load(db, found, before) };
      },
      (found) => found.rows.length === 0,
    );
    const newest = rows.at(-1);
    if (!newest) return false;
    const events = followed.members.resolve(rows, loaded);
    followed.seq = newest.seq;
    followed.recent.push(...events);
    const surplus = followed.recent.splice(0, followed.recent.length - MAX_RECENT);
    followed.recentAfter = surplus.at(-1)?.seq ?? followed.recentAfter;
    if (events.length > 0) await callListeners(events, [...followed.listeners]);
    return true;
  }
}

async function callListeners(
  events: readonly StoredEvent[],
  listeners: readonly Listener[],
): Promise<void> {
  for (const [at, listener] of listeners.entries()) {
    if (at > 0 && at % MAX_CALLS_PER_TURN === 0) await new Promise(setImmediate);
    listener.receive(events);
  }
}
