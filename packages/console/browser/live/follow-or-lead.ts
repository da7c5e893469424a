import type { Registration, Streamed } from '@bellhop/client';

import type { LiveStatus } from './live-status.ts';

export type Followed = Streamed | { readonly kind: 'status'; readonly status: LiveStatus };
type TabMessage =
  | Followed
  | { readonly kind: 'hello' }
  /** The answer of the leading tab to `hello`. */
  | { readonly kind: 'snapshot'; readonly state: Registration };

interface Following {
  /** Names the lock and the channel. */
  readonly name: string;
  readonly signal: AbortSignal;
  readonly take: (item: Followed) => void;
  /** The current state, for a tab that has just opened; undefined in that tab. */
  readonly snapshot: () => Registration | undefined;
  /** Runs in the one tab that leads. */
  readonly lead: (publish: (item: Followed) => void) => Promise<void>;
}

/**
 * One tab of the browser leads and polls the server, the others take what it publishes: a browser
 * opens six connections to a server over HTTP/1.1, and a poll keeps one. When the leading tab closes,
 * another one leads.
 */
export function followOrLead(following: Following): void {
  const { name, signal, take, snapshot, lead } = following;
  const channel = new BroadcastChannel(name);
  let isLeading = false;
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (signal.aborted) return;
    if (data.kind === 'hello') {
      const state = isLeading ? snapshot() : undefined;
      if (state) channel.postMessage({ kind: 'snapshot', state } satisfies TabMessage);
    } else if (isLeading) return;
    else if (data.kind !== 'snapshot') take(data);
    // A tab that has the state would fetch its views again for every other tab that opens.
    else if (!snapshot()) take({ kind: 'registered', state: data.state });
  };
  signal.addEventListener('abort', () => channel.close());
  channel.postMessage({ kind: 'hello' } satisfies TabMessage);
  const leading = async () => {
    isLeading = true;
    await lead((item) => {
      if (signal.aborted) return;
      take(item);
      channel.postMessage(item);
    });
  };
  // Only pages of https and of localhost have locks: elsewhere each tab polls for itself.
  const locks = navigator.locks as LockManager | undefined;
  const led = locks ? locks.request(name, { signal }, leading) : leading();
  led.catch((error: unknown) => {
    if (!signal.aborted) reportError(error);
  });
}
