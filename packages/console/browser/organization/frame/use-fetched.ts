import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

import type { LiveAccount } from '../../live/live-account.ts';

export interface Fetched<T> {
  readonly value: T | undefined;
  readonly error: unknown;
  readonly again: () => void;
}

/**
 * Data outside the state: fetched when the page opens, after events of these types, and when the
 * state was fetched anew.
 */
export function useFetched<T>(
  account: LiveAccount,
  fetch: () => Promise<T>,
  eventTypes: readonly string[] = [],
): Fetched<T> {
  const value = useSignal<T | undefined>(undefined);
  const error = useSignal<unknown>(undefined);
  const newest = useSignal(0);
  const again = () => {
    const number = ++newest.value;
    fetch().then(
      (found) => {
        if (number !== newest.peek()) return;
        value.value = found;
        error.value = undefined;
      },
      (problem: unknown) => {
        if (number === newest.peek()) error.value = problem;
      },
    );
  };
  useEffect(again, [account, account.generation.value]);
  useEffect(
    () =>
      account.onEvent((event) => {
        if (eventTypes.includes(event.type)) again();
      }),
    [account],
  );
  return { value: value.value, error: error.value, again };
}
