interface LedPoll {
  /** Names the lock and the channel: the same in all tabs. */
  readonly name: string;
  readonly signal: AbortSignal;
  /** Waits for a change after this version. Resolves with the new one. */
  readonly wait: (after: number, signal: AbortSignal) => Promise<number>;
  /** Runs in every tab after a change, and once when a failing server answers again. */
  readonly onChange: () => void;
}
const RETRY_MS = 2000;

/**
 * Follows changes by a long poll. One tab of the browser polls and passes the changes to the
 * others: a browser opens six connections to a server over HTTP/1.1.
 */
export function ledPoll({ name, signal, wait, onChange }: LedPoll): void {
  const channel = new BroadcastChannel(name);
  channel.onmessage = () => onChange();
  signal.addEventListener('abort', () => channel.close());
  const lead = async () => {
    for (let version = 0; !signal.aborted;)
      try {
        const next = await wait(version, signal);
        if (next !== version && !signal.aborted) {
          channel.postMessage('changed');
          onChange();
        }
        version = next;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
  };
  // Only pages of https and of localhost have locks: elsewhere each tab polls for itself.
  const locks = navigator.locks as LockManager | undefined;
  const led = locks ? locks.request(name, { signal }, lead) : lead();
  led.catch(() => undefined);
}
