import { Batcher } from '@bellhop/postgres';
import type { EventType, RealmId } from '@bellhop/protocol';

import type { Change, ChangeOptions } from './call.ts';

/**
 * Runs several requests in one transaction and emits their events in the order of the requests.
 * Returns the result of each. A rejected request must not have written anything. Called again with
 * the same requests after a serialization failure.
 */
export type BatchedWrite<Request, Result, Emits extends EventType = EventType> = (
  change: Change<Emits>,
  requests: readonly Request[],
) => Promise<readonly PromiseSettledResult<Result>[]>;

/** Opens a transaction: the `change` of the call. */
export type OpenChange<Emits extends EventType> = <T>(
  work: (change: Change<Emits>) => Promise<T>,
  options?: ChangeOptions,
) => Promise<T>;

export interface OpenedRequest<Request, Emits extends EventType> {
  readonly request: Request;
  readonly change: OpenChange<Emits>;
}
export interface AddedRequest<Request, Emits extends EventType> extends OpenedRequest<
  Request,
  Emits
> {
  readonly realm: { readonly id: RealmId };
}

/**
 * Runs writes of one realm in shared transactions; in their own they would wait for each other at
 * the event counter of the realm. The next batch starts at the commit of the one before: both then
 * share a flush to disk.
 */
export class WriteBatcher {
  /** By write and realm, until the last batch has committed. */
  readonly #batchers = new Map<unknown, Map<RealmId, unknown>>();

  /** Resolves with the result of this request once its batch is on disk. */
  add<Request, Result, Emits extends EventType>(
    write: BatchedWrite<Request, Result, Emits>,
    { realm: { id }, ...opened }: AddedRequest<Request, Emits>,
  ): Promise<Result> {
    type Writes = Batcher<OpenedRequest<Request, Emits>, Result>;
    const byRealm = (this.#batchers.get(write) ?? new Map()) as Map<RealmId, Writes>;
    this.#batchers.set(write, byRealm);
    const batcher = byRealm.get(id) ?? sharedChanges(write, () => byRealm.delete(id));
    byRealm.set(id, batcher);
    return batcher.add(opened);
  }
}

/** Opens a change for each batch by its first request. */
const sharedChanges = <Request, Result, Emits extends EventType>(
  write: BatchedWrite<Request, Result, Emits>,
  onIdle: () => void,
): Batcher<OpenedRequest<Request, Emits>, Result> =>
  new Batcher(
    (opened, onCommit) => {
      const [first] = opened;
      if (!first) return Promise.resolve([]);
      const requests = opened.map(({ request }) => request);
      return first.change((change) => write(change, requests), { onCommit });
    },
    { onIdle },
  );
