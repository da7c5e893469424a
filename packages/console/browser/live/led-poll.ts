import { sleep } from '@bellhop/client';

import { leadingTab } from './leading-tab.ts';

interface LedPoll {
  /** The same in all tabs. */
  readonly name: string;
  readonly signal: AbortSignal;
  /** Waits for a change after this version. Resolves with the new one. */
  readonly wait: (after: number, signal: AbortSignal) => Promise<number>;
  /** Runs in every tab after a change, and once when a failing server answers again. */
  readonly onChange: () => void;
}
const RETRY_MS = 2000;

/** Follows changes by a long poll of one tab, which passes the changes to the others. */
export function ledPoll({ name, signal, wait, onChange }: LedPoll): void {
  const lead = async () => {
    for (let version = 0; !signal.aborted;)
      try {
        const next = await wait(version, signal);
        if (next !== version && !signal.aborted) {
          tell('changed');
          onChange();
        }
        version = next;
      } catch {
        await sleep(RETRY_MS, signal);
      }
  };
  const tell = leadingTab<'changed'>({ name, signal, onMessage: onChange, lead });
}
