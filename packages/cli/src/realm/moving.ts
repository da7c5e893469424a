import { rethrowAsUserError, UserError } from '@bellhop/bot-cli/command-line';
import { WrongSecretError } from '@bellhop/server';
import { PortabilityError, type Progress } from '@bellhop/server/portability';

/** How often a line tells how far it is, in milliseconds. */
const EVERY_MS = 1000;

/** Prints how far long work is: the beginning of each step, and a line in each second. */
function printProgress(): (progress: Progress) => void {
  let current: string | undefined;
  let printedAt = 0;
  return ({ what, done }) => {
    const now = performance.now();
    if (what === current && now - printedAt < EVERY_MS) return;
    current = what;
    printedAt = now;
    console.error(`${what}: ${done}`);
  };
}

interface LongWork {
  readonly progress: (progress: Progress) => void;
  readonly signal: AbortSignal;
}

/**
 * Runs work that takes long. Ctrl-C stops it between two pieces. Its errors that a person can mend become
 * UserErrors.
 */
export async function runLong<T>(work: (long: LongWork) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const abort = () => stop.abort();
  for (const signal of signals) process.once(signal, abort);
  try {
    return await work({ progress: printProgress(), signal: stop.signal });
  } catch (error) {
    if (stop.signal.aborted)
      throw new UserError('Interrupted. The same command continues where it was.');
    if (error instanceof PortabilityError || error instanceof WrongSecretError)
      return rethrowAsUserError(error);
    throw error;
  } finally {
    for (const signal of signals) process.off(signal, abort);
  }
}
