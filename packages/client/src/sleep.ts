/** What a timer can hold; a longer wait would be none at all. */
const LONGEST_MS = 2 ** 31 - 1;

/** Waits, in browsers too; an aborted signal ends the wait early, without an error. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(ms, LONGEST_MS));
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end);
  });
}
