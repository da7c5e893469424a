import { leftNothing } from '@bellhop/postgres';
import type { EventType, RealmId } from '@bellhop/protocol';

import type { Change, ChangeOptions } from './call.ts';

/**
 * Makes one change per item in the same transaction, their events in the order of the items, and
 * says what became of each. What it refuses has written nothing.
 */
export type ChangeTogether<Item, Result, Emits extends EventType = EventType> = (
  change: Change<Emits>,
  items: readonly Item[],
) => Promise<readonly PromiseSettledResult<Result>[]>;

/** Opens a transaction, as the call does in which an item came. */
type Open<Emits extends EventType> = <T>(
  work: (change: Change<Emits>) => Promise<T>,
  options?: ChangeOptions,
) => Promise<T>;

interface Waiting<Item, Result, Emits extends EventType> {
  readonly item: Item;
  readonly change: Open<Emits>;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** As many share a transaction at most. */
const MOST = 64;

/**
 * Changes of one kind in one realm: while some are being committed, those that come gather, and are
 * then made in one transaction in the order they came.
 */
class Lane<Item, Result, Emits extends EventType> {
  readonly #kind: ChangeTogether<Item, Result, Emits>;
  readonly #onEmpty: () => void;
  readonly #waiting: Waiting<Item, Result, Emits>[] = [];
  #unanswered = 0;
  #isRunning = false;

  constructor(kind: ChangeTogether<Item, Result, Emits>, onEmpty: () => void) {
    this.#kind = kind;
    this.#onEmpty = onEmpty;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  join(item: Item, change: Open<Emits>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, change, resolve, reject });
      this.#unanswered += 1;
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      // Those that arrive in the same moment come along: the larger a batch, the less one costs.
      await new Promise(setImmediate);
      const batch = this.#waiting.splice(0, MOST);
      // The next ones start when these are committed, and share the wait for the disk.
      await new Promise<void>((free) => void this.#make(batch, free).then(free));
    }
    this.#isRunning = false;
  }

  /** Answers a batch. If one of them made the database refuse all, each is made again alone. */
  async #make(batch: readonly Waiting<Item, Result, Emits>[], onCommit: () => void): Promise<void> {
    const [first] = batch;
    if (!first) return;
    const items = batch.map(({ item }) => item);
    try {
      const outcomes = await first.change((change) => this.#kind(change, items), { onCommit });
      this.#answered(batch);
      for (const [at, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[at];
        if (outcome?.status === 'fulfilled') resolve(outcome.value);
        else reject(outcome?.reason ?? new Error('A change was made and not answered'));
      }
    } catch (error) {
      if (batch.length > 1 && leftNothing(error)) {
        for (const one of batch) await this.#make([one], () => undefined);
        return;
      }
      this.#answered(batch);
      for (const { reject } of batch) reject(error);
    }
  }

  #answered({ length }: { readonly length: number }): void {
    this.#unanswered -= length;
    if (this.#unanswered === 0) this.#onEmpty();
  }
}

/**
 * Lets changes share a transaction that would otherwise wait for each other at the event counter of
 * their realm.
 */
export class Lanes {
  readonly #lanes = new Map<RealmId, Map<unknown, { readonly waiting: number }>>();

  /** How many wait for others to be committed. */
  get waiting(): number {
    const lanes = [...this.#lanes.values()].flatMap((ofRealm) => [...ofRealm.values()]);
    return lanes.reduce((sum, lane) => sum + lane.waiting, 0);
  }

  /** How many lanes there are: one per realm and kind of change, as long as one is unanswered. */
  get size(): number {
    return [...this.#lanes.values()].reduce((sum, ofRealm) => sum + ofRealm.size, 0);
  }

  /** Makes a change of this kind, with others if there are any. Resolves when it is on disk. */
  join<Item, Result, Emits extends EventType>(
    kind: ChangeTogether<Item, Result, Emits>,
    { realm, item, change }: { realm: { readonly id: RealmId }; item: Item; change: Open<Emits> },
  ): Promise<Result> {
    const ofRealm = this.#lanes.get(realm.id) ?? new Map<unknown, { readonly waiting: number }>();
    this.#lanes.set(realm.id, ofRealm);
    const known = ofRealm.get(kind) as Lane<Item, Result, Emits> | undefined;
    const lane =
      known ??
      new Lane(kind, () => {
        ofRealm.delete(kind);
        if (ofRealm.size === 0) this.#lanes.delete(realm.id);
      });
    ofRealm.set(kind, lane);
    return lane.join(item, change);
  }
}
