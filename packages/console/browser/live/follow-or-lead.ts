import type { Registration, Streamed } from '@bellhop/client';

import { leadingTab } from './leading-tab.ts';
import type { LiveStatus } from './live-status.ts';

export type Followed = Streamed | { readonly kind: 'status'; readonly status: LiveStatus };
type TabMessage =
  | Followed
  | { readonly kind: 'hello' }
  /** The answer of the leading tab to `hello`. */
  | { readonly kind: 'snapshot'; readonly state: Registration };

interface Following {
  /** The same in all tabs. */
  readonly name: string;
  readonly signal: AbortSignal;
  readonly take: (item: Followed) => void;
  /** The current state, for a tab that has just opened; undefined in that tab. */
  readonly snapshot: () => Registration | undefined;
  /** Runs in the one tab that leads. */
  readonly lead: (publish: (item: Followed) => void) => Promise<void>;
}

/** The leading tab polls the server, and the others take what it publishes. */
export function followOrLead({ name, signal, take, snapshot, lead }: Following): void {
  let isLeading = false;
  const tell = leadingTab<TabMessage>({
    name,
    signal,
    onMessage: (message) => {
      if (message.kind === 'hello') {
        const state = isLeading ? snapshot() : undefined;
        if (state) tell({ kind: 'snapshot', state });
      } else if (isLeading) return;
      else if (message.kind !== 'snapshot') take(message);
      // A tab that has the state would fetch its views again for every other tab that opens.
      else if (!snapshot()) take({ kind: 'registered', state: message.state });
    },
    lead: () => {
      isLeading = true;
      return lead((item) => {
        if (signal.aborted) return;
        take(item);
        tell(item);
      });
    },
  });
  tell({ kind: 'hello' });
}
