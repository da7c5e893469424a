import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

interface Polled<T> {
  readonly value: Signal<T | undefined>;
  readonly error: Signal<unknown>;
  readonly refresh: () => void;
}
const EVERY_MS = 3000;

/** Fetches something now and every three seconds, as long as the page is in sight. */
export function usePolled<T>(
  fetchIt: () => Promise<T>,
  dependencies: readonly unknown[],
): Polled<T> {
  const value = useSignal<T | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const version = useSignal(0);
  useEffect(() => {
    let isCurrent = true;
    const load = () => {
      if (document.hidden) return;
      fetchIt().then(
        (answer) => {
          if (!isCurrent) return;
          value.value = answer;
          error.value = undefined;
        },
        (problem: unknown) => {
          if (isCurrent) error.value = problem;
        },
      );
    };
    load();
    const timer = setInterval(load, EVERY_MS);
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [...dependencies, version.value]);
  return { value, error, refresh: () => version.value++ };
}
