import type { QueuedEvent } from '@bellhop/protocol';
import { useEffect, useMemo, useRef } from 'preact/hooks';

import type { LiveAccount } from '../live/live-account.ts';
import { resource } from './resource.ts';

/** What a component shows of a resource. */
export interface Fetched<T> {
  readonly value: T | undefined;
  readonly error: unknown;
  readonly refresh: () => Promise<void>;
}

/** When something is fetched again, besides a change of the dependencies. */
interface Again {
  /** When the state of the account was fetched anew. */
  readonly account?: LiveAccount;
  /** After events of the account for which this holds. */
  readonly on?: (event: QueuedEvent) => boolean;
  /** How long events are awaited that may follow the first one. Default: those of the same answer. */
  readonly settleMs?: number;
  /** As long as the page is in sight. */
  readonly everyMs?: number;
}

/** Fetches something when the component appears, and again when it may have changed. */
export function useResource<T>(
  fetch: (signal: AbortSignal) => Promise<T>,
  dependencies: readonly unknown[] = [],
  { account, on, settleMs = 0, everyMs }: Again = {},
): Fetched<T> {
  const newest = useRef(fetch);
  newest.current = fetch;
  const { value, error, refresh, stop } = useMemo(
    () => resource((signal) => newest.current(signal)),
    [],
  );
  useEffect(() => {
    const load = () => void refresh();
    let settling: ReturnType<typeof setTimeout> | undefined;
    const settle = () => {
      settling ??= setTimeout(() => {
        settling = undefined;
        load();
      }, settleMs);
    };
    const stopEvents = account?.onEvent((event) => {
      if (on?.(event)) settle();
    });
    // The signal calls back at once for the first time.
    const stopResync = account?.generation.subscribe(load);
    if (!account) load();
    const timer =
      everyMs === undefined ? undefined : setInterval(() => document.hidden || load(), everyMs);
    return () => {
      stop();
      clearTimeout(settling);
      clearInterval(timer);
      stopEvents?.();
      stopResync?.();
    };
  }, [account, ...dependencies]);
  return { value: value.value, error: error.value, refresh };
}
