import { once } from 'node:events';
import { isatty } from 'node:tty';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** npm passes on the Ctrl-C that the terminal sends to both: one press is two signals. */
const SAME_PRESS_MS = 500;

export type Signal = (typeof signals)[number];

class Interrupted extends Error {}

export interface Running {
  /**
   * Starts a service. `stopping` aborts at the first signal; `end` stops the service as a signal
   * does. Returns the function that stops the service; it is told the signal, if there was one.
   */
  readonly start: (
    stopping: AbortSignal,
    end: () => void,
  ) => Promise<(signal: Signal | undefined) => Promise<void>>;
  /** Called at the first signal, also during the start. */
  readonly onSignal?: () => void;
  /** Called at each SIGHUP, also during the start, instead of a stop, unless the terminal was closed. */
  readonly onHangup?: () => void;
}

/**
 * Starts a service, and stops it at SIGINT, SIGTERM or SIGHUP, also during its start, and when the npm
 * that started it has ended. A second signal ends the process at once. Returns the exit code: 0, or 130 if a signal ended the start.
 */
export async function untilSignal({ start, onSignal, onHangup }: Running): Promise<number> {
  const stopping = new AbortController();
  const hadTerminal = isatty(0);
  let signalledAt = 0;
  let received: Signal | undefined;
  const stopOnce = (signal?: Signal) => {
    if (stopping.signal.aborted) {
      if (performance.now() - signalledAt > SAME_PRESS_MS) process.exit(130);
      return;
    }
    signalledAt = performance.now();
    received = signal;
    onSignal?.();
    stopping.abort(new Interrupted('A signal asked the program to end'));
  };
  const hangupListener = () => {
    const isTerminalClosed = hadTerminal && !isatty(0);
    if (onHangup && !isTerminalClosed) onHangup();
    else stopOnce('SIGHUP');
  };
  const end = () => stopOnce();
  const listeners = {
    SIGINT: () => stopOnce('SIGINT'),
    SIGTERM: () => stopOnce('SIGTERM'),
    SIGHUP: hangupListener,
  };
  for (const signal of signals) process.on(signal, listeners[signal]);
  using _npm = watchNpm(end);
  try {
    // Ctrl-C in a terminal also ends child processes, which can make the start fail.
    const stop = await start(stopping.signal, end).catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    });
    if (!stop) return 130;
    if (!stopping.signal.aborted) await once(stopping.signal, 'abort');
    await stop(received);
    return 0;
  } finally {
    for (const signal of signals) process.off(signal, listeners[signal]);
  }
}

const CHECK_PARENT_MS = 500;

/**
 * Calls back once when npm has ended: it passes SIGTERM to the shell of the script, which ends without
 * passing it on. No-op in a process that npm did not start.
 */
function watchNpm(onEnd: () => void): Disposable {
  const { env, ppid } = process;
  if (env['npm_lifecycle_event'] === undefined || ppid === 1) return { [Symbol.dispose]: () => {} };
  const timer = setInterval(() => {
    if (process.ppid === ppid) return;
    clearInterval(timer);
    onEnd();
  }, CHECK_PARENT_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
