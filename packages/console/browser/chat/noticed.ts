import { type ReadonlySignal, signal } from '@preact/signals';

import type { LiveAccount } from '../live/live-account.ts';

/** The IDs of the users who type, or of the messages that are edited. */
export interface Noticed {
  readonly ids: ReadonlySignal<readonly number[]>;
  /** Keeps an ID until it is removed, or until no notice has repeated it in time (spec, Typing). */
  readonly add: (id: number) => void;
  readonly remove: (id: number) => void;
  readonly clear: () => void;
}

export function noticed({ state }: LiveAccount): Noticed {
  const ids = signal<readonly number[]>([]);
  const timers = new Map<number, ReturnType<typeof setTimeout>>();
  const show = () => (ids.value = [...timers.keys()]);
  const forget = (id: number) => {
    clearTimeout(timers.get(id));
    return timers.delete(id);
  };
  const remove = (id: number) => {
    if (forget(id)) show();
  };
  return {
    ids,
    add: (id) => {
      forget(id);
      const expiry = state.peek()?.server_typing_started_expiry_period_milliseconds ?? 15_000;
      timers.set(
        id,
        setTimeout(() => remove(id), expiry),
      );
      show();
    },
    remove,
    clear: () => {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      show();
    },
  };
}
