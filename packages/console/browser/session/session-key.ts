const STORED = 'bellhop-console-key';
const CHANNEL = 'bellhop-console-key';
/** How long a new tab waits for the key of another one. */
const WAIT_MS = 250;

type TabMessage = { readonly ask: true } | { readonly key: string | null };

let channel: BroadcastChannel | undefined;

/** The page's half of the session, kept as long as the tab. */
export const sessionKey = (): string | null => sessionStorage.getItem(STORED);

/** Keeps a new key, or forgets it, in all tabs. */
export function setSessionKey(key: string | null): void {
  keep(key);
  channel?.postMessage({ key } satisfies TabMessage);
}

function keep(key: string | null): void {
  if (key === null) sessionStorage.removeItem(STORED);
  else sessionStorage.setItem(STORED, key);
}

/**
 * Shares the key with other tabs, and takes it from one of them. Calls `onChange` when another tab
 * changed the key.
 */
export async function shareSessionKey(onChange: () => void): Promise<void> {
  const shared = new BroadcastChannel(CHANNEL);
  channel = shared;
  const known = sessionKey();
  const answered = new Promise<void>((resolve) => {
    shared.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      const own = sessionKey();
      if ('ask' in data) {
        if (own !== null) shared.postMessage({ key: own } satisfies TabMessage);
      } else if (data.key !== own) {
        keep(data.key);
        resolve();
        onChange();
      }
    };
  });
  if (known !== null) return;
  shared.postMessage({ ask: true } satisfies TabMessage);
  await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, WAIT_MS))]);
}
