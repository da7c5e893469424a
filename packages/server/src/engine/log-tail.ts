import type { Database } from '@bellhop/postgres';
import type { RealmId } from '@bellhop/protocol';

import type { Tables } from '../tables.ts';
import { eventsAfter, newestSeq } from './event-log.ts';
import type { StoredEvent } from './stored-event.ts';

export type Offer = (events: readonly StoredEvent[]) => void;

interface Tailed {
  readonly offers: Set<Offer>;
  readonly started: Promise<void>;
  seq: number;
  reading: boolean;
  again: boolean;
}

/** Offers are handed out in slices, so that thousands of waiting polls do not stop everything else. */
const SLICE = 500;

/** Follows the event log of those realms that somebody here waits for, and no others. */
export class LogTail {
  readonly #db: Database<Tables>;
  readonly #onError: (error: unknown) => void;
  readonly #tailed = new Map<RealmId, Tailed>();

  constructor(db: Database<Tables>, onError: (error: unknown) => void) {
    this.#db = db;
    this.#onError = onError;
  }

  /** Offers every event committed from now on. Returns what ends it. */
  async follow(realm: RealmId, offer: Offer): Promise<() => void> {
    let tailed = this.#tailed.get(realm);
    if (!tailed) {
      const started = newestSeq(this.#db.kysely, realm).then((seq) => {
        fresh.seq = seq;
      });
      const fresh: Tailed = {
        offers: new Set(),
        started,
        seq: Infinity,
        reading: false,
        again: false,
      };
      tailed = fresh;
      this.#tailed.set(realm, tailed);
    }
    const { offers, started } = tailed;
    offers.add(offer);
    const leave = () => {
      offers.delete(offer);
      if (offers.size === 0 && this.#tailed.get(realm)?.offers === offers)
        this.#tailed.delete(realm);
    };
    try {
      await started;
    } catch (error) {
      leave();
      throw error;
    }
    return leave;
  }

  /** Looks for new events, in one realm or in all that are followed. */
  wake(realm?: RealmId): void {
    const realms = realm === undefined ? [...this.#tailed.keys()] : [realm];
    for (const id of realms) {
      const tailed = this.#tailed.get(id);
      if (!tailed) continue;
      if (tailed.reading) tailed.again = true;
      else this.#read(id, tailed).catch(this.#onError);
    }
  }

  async #read(realm: RealmId, tailed: Tailed): Promise<void> {
    tailed.reading = true;
    try {
      await tailed.started;
      do {
        tailed.again = false;
        const events = await eventsAfter(this.#db.kysely, realm, tailed.seq);
        const newest = events.at(-1);
        if (!newest) continue;
        // Nobody is told what a power cut could still undo.
        await this.#db.durable();
        tailed.seq = newest.seq;
        tailed.again = true;
        await hand(events, [...tailed.offers]);
      } while (tailed.again);
    } finally {
      tailed.reading = false;
    }
  }
}

async function hand(events: readonly StoredEvent[], offers: readonly Offer[]): Promise<void> {
  for (const [at, offer] of offers.entries()) {
    if (at > 0 && at % SLICE === 0) await new Promise(setImmediate);
    offer(events);
  }
}
