import { ClaimWatch, LEASE_MS } from '../stores/claim.ts';
import type { LeftDelivery } from './delivery-record.ts';
import { type DeliveryRecords, keyOf } from './delivery-records.ts';

/** How often a process looks for the late deliveries of processes that have died. */
const SEARCH_MS = 60_000;
/** Wait after a search that has failed. */
const SEARCH_AGAIN_MS = 5000;

interface SearchListener {
  /** Whether this process handles a delivery. */
  readonly isRunning: (key: number) => boolean;
  /** Called with each delivery that an earlier run of a bot in one process has ended. */
  readonly onEnded: (key: number) => void;
  readonly onLeft: (left: LeftDelivery, key: number) => void;
  readonly onFailed: (error: unknown) => void;
}

export interface LeftDeliverySearch {
  /** Resolves when the first search has ended. */
  readonly searched: Promise<void>;
  readonly stop: () => void;
}

/**
 * Looks for the late deliveries that other processes have left. With a store for one process these are
 * all that it finds at its start. With one for several it searches from time to time: each may die at
 * any time. Searches again after a failure.
 */
export function searchLeftDeliveries(
  records: DeliveryRecords,
  { isRunning, onEnded, onLeft, onFailed }: SearchListener,
): LeftDeliverySearch {
  const { clock } = records;
  /** The late deliveries of other processes that seem to live, by their entries in the list. */
  let watched = new Map<string, ClaimWatch>();
  let isStopped = false;
  let stopWaiting = () => {};

  async function look(): Promise<void> {
    const open = new Set<number>();
    const alive = new Map<string, ClaimWatch>();
    for (const late of await records.late()) {
      const { listedAt, delivery } = late;
      const key = keyOf(delivery);
      if (isStopped) return;
      const found = isRunning(key) ? undefined : await records.read(key);
      if (found?.value.state === 'answered') {
        // The process was killed between the end of the record and the removal from the list.
        await records.store.delete(listedAt).catch(onFailed);
        continue;
      }
      open.add(key);
      if (isRunning(key)) continue;
      const watch = watched.get(listedAt) ?? new ClaimWatch(records);
      if (found === undefined || watch.isAbandoned(found)) onLeft({ ...late, watch }, key);
      else alive.set(listedAt, watch);
    }
    if (!records.isShared)
      for (const key of [...(await records.keys()), ...(await records.endedBefore())])
        if (!open.has(key)) onEnded(key);
    watched = alive;
  }

  async function search(): Promise<void> {
    let again: number | undefined;
    try {
      await look();
      if (records.isShared) again = watched.size > 0 ? LEASE_MS : SEARCH_MS;
    } catch (error) {
      onFailed(error);
      watched = new Map();
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
