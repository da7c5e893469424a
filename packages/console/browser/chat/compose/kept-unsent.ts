import { strings } from '../strings.ts';
import type { Unsent } from './unsent.ts';

/** Keeps the unsent messages of a user over a reload of this tab. */
export function keptUnsent(user_id: number) {
  const key = `bellhop-console-unsent-${user_id}`;
  return {
    keep: (all: readonly Unsent[]) => {
      try {
        sessionStorage.setItem(key, JSON.stringify(all));
      } catch {
        // The storage of the tab is full: the messages are still on the page.
      }
    },
    restore: (): readonly Unsent[] => {
      const all = JSON.parse(sessionStorage.getItem(key) ?? '[]') as readonly Unsent[];
      return all.map((one) => ({ ...one, reason: one.reason ?? strings.interrupted }));
    },
  };
}
