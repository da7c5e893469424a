import type { Clock } from '../clock.ts';
import type { StoredDeliveries } from './delivery-progress.ts';
import type { PendingReply } from './pending-replies.ts';

/** How often a process looks for the pending replies of processes that have died. */
const SEARCH_MS = 60_000;
/** Wait after a search that has failed. */
const SEARCH_AGAIN_MS = 5000;

export interface PendingReplySearch {
  /** Resolves when the first search has ended. */
  readonly searched: Promise<void>;
  readonly stop: () => void;
}

/**
 * Looks for the pending replies that other processes have left. Searches again after a failure, and
 * from time to time if several processes share the store: each may die at any time.
 */
export function searchPendingReplies(
  { pending, claims, ended }: StoredDeliveries,
  clock: Clock,
  on: {
    /** Called first, with each delivery that an earlier run of a bot in one process has ended. */
    readonly onEnded: (delivery: number) => void;
    readonly onFound: (left: PendingReply) => void;
    readonly onFailed: (error: unknown) => void;
  },
): PendingReplySearch {
  let isStopped = false;
  let stopWaiting = () => {};

  async function search(): Promise<void> {
    let again = claims && SEARCH_MS;
    try {
      for (const delivery of (await ended?.list()) ?? []) on.onEnded(delivery);
      for (const left of await pending.list()) on.onFound(left);
    } catch (error) {
      on.onFailed(error);
      again = SEARCH_AGAIN_MS;
    }
    if (again === undefined || isStopped) return;
    stopWaiting = clock.after(again, () => void search());
  }

  return {
    searched: search(),
    stop() {
      isStopped = true;
      stopWaiting();
    },
  };
}
