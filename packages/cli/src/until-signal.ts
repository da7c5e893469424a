import { once } from 'node:events';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** npm passes on the Ctrl-C that the terminal has already sent: one press, two signals. */
const SAME_PRESS_MS = 500;

export class Interrupted extends Error {}

interface Running {
  /** Starts what is to run; gives up early if `asked` is aborted. Returns what stops it. */
  readonly start: (asked: AbortSignal) => Promise<() => Promise<void>>;
  /** Called when the first signal arrives, also while starting. */
  readonly onAsked?: () => void;
}

/**
 * Starts something and stops it when the program is asked to end, also in the middle of its start
 * and when its terminal is closed. A second signal ends the program at once. Returns the exit code.
 */
export async function untilSignal({ start, onAsked }: Running): Promise<number> {
  const asked = new AbortController();
  let askedAt = 0;
  const onSignal = () => {
    if (asked.signal.aborted) {
      if (performance.now() - askedAt > SAME_PRESS_MS) process.exit(130);
      return;
    }
    askedAt = performance.now();
    onAsked?.();
    asked.abort(new Interrupted('The program was asked to end'));
  };
  for (const signal of signals) process.on(signal, onSignal);
  try {
    // Ctrl-C in a terminal also reaches the programs that a step has started, and ends them.
    const stop = await start(asked.signal).catch((error: unknown) => {
      if (!asked.signal.aborted) throw error;
    });
    if (!stop) return 130;
    if (!asked.signal.aborted) await once(asked.signal, 'abort');
    await stop();
    return 0;
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}
