import { isRolledBack } from '@bellhop/postgres';
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
type OpenChange<Emits extends EventType> = <T>(
  work: (change: Change<Emits>) => Promise<T>,
  options?: ChangeOptions,
) => Promise<T>;

interface AddedRequest<Request, Emits extends EventType> {
  readonly realm: { readonly id: RealmId };
  readonly request: Request;
  readonly change: OpenChange<Emits>;
}
interface Waiting<Request, Result, Emits extends EventType> extends Omit<
  AddedRequest<Request, Emits>,
  'realm'
> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_BATCH_SIZE = 64;

/**
 * Runs writes of one realm in shared transactions; in their own they would wait for each other at
 * the event counter of the realm. Requests that arrive while a batch commits form the next batch,
 * in the order of their arrival.
 */
export class WriteBatcher {
  /**
   * The waiting requests by write and realm. A queue is deleted when its last batch has committed.
   */
  readonly #queues = new Map<unknown, Map<RealmId, unknown[]>>();

  /** Resolves with the result of this request once its batch is on disk. */
  add<Request, Result, Emits extends EventType>(
    write: BatchedWrite<Request, Result, Emits>,
    { realm, ...added }: AddedRequest<Request, Emits>,
  ): Promise<Result> {
    type Queue = Waiting<Request, Result, Emits>[];
    const queues = (this.#queues.get(write) ?? new Map()) as Map<RealmId, Queue>;
    this.#queues.set(write, queues);
    return new Promise((resolve, reject) => {
      const queue = queues.get(realm.id) ?? [];
      queue.push({ ...added, resolve, reject });
      if (queues.has(realm.id)) return;
      queues.set(realm.id, queue);
      void commitAll(write, queue, () => queues.delete(realm.id));
    });
  }
}

/**
 * Commits batches until the queue is empty. Calls `onEmpty` in the same turn, before another
 * request.
 */
async function commitAll<Request, Result, Emits extends EventType>(
  write: BatchedWrite<Request, Result, Emits>,
  queue: Waiting<Request, Result, Emits>[],
  onEmpty: () => void,
): Promise<void> {
  while (queue.length > 0) {
    // Requests that arrive in the same turn of the event loop join the batch.
    await new Promise(setImmediate);
    const batch = queue.splice(0, MAX_BATCH_SIZE);
    // The next batch starts at this one's commit; both then share a flush to disk.
    await new Promise<void>((onCommit) => {
      void commitBatch(write, batch, onCommit).then(onCommit);
    });
  }
  onEmpty();
}

/** Settles every request of a batch. After a database error each request runs again alone. */
async function commitBatch<Request, Result, Emits extends EventType>(
  write: BatchedWrite<Request, Result, Emits>,
  batch: readonly Waiting<Request, Result, Emits>[],
  onCommit?: () => void,
): Promise<void> {
  const [first] = batch;
  if (!first) return;
  const requests = batch.map(({ request }) => request);
  try {
    const results = await first.change((change) => write(change, requests), {
      ...(onCommit && { onCommit }),
    });
    for (const [at, { resolve, reject }] of batch.entries()) {
      const result = results[at];
      if (result?.status === 'fulfilled') resolve(result.value);
      else reject(result?.reason ?? new Error('A batched write returned no result for a request'));
    }
  } catch (error) {
    if (batch.length > 1 && isRolledBack(error)) {
      for (const one of batch) await commitBatch(write, [one]);
      return;
    }
    for (const { reject } of batch) reject(error);
  }
}
