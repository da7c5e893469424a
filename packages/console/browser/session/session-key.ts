const STORED = 'bellhop-console-key';

/**
 * The page's half of the session. The browser keeps it for this origin, of which the port is a part, until
 * the user signs out: the other half, the cookie, is sent to every port of the host.
 */
export const sessionKey = (): string | null => localStorage.getItem(STORED);

/** Keeps a new key, or forgets it. */
export function setSessionKey(key: string | null): void {
  if (key === null) localStorage.removeItem(STORED);
  else localStorage.setItem(STORED, key);
}

/** Calls back when another tab has changed the key. */
export function onSessionKey(changed: () => void): void {
  addEventListener('storage', ({ key }) => {
    // Null: everything was removed.
    if (key === STORED || key === null) changed();
  });
}
