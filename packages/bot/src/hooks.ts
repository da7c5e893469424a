import type { MessageId } from '@bellhop/protocol';

import type { Trigger } from './delivery.ts';

/** A handler that failed. The user was given the reference, and nothing else. */
export interface Failure {
  readonly error: unknown;
  readonly reference: string;
  readonly bot_email: string;
  readonly message_id: MessageId;
}

/** What became of a request. A refused one says nothing of the caller: it may be anybody. */
export type DeliveryReport =
  | { readonly outcome: 'refused'; readonly status: 400 | 401 | 405 | 413 }
  | {
      readonly outcome: 'replied' | 'silent' | 'failed';
      readonly status: 200;
      readonly bot_email: string;
      readonly message_id: MessageId;
      readonly trigger: Trigger;
      readonly duration_ms: number;
    };

/** Where logs and metrics are hung. A hook that fails does not disturb the delivery. */
export interface Hooks {
  /** Without it, failures are written to standard error as one line of JSON each. */
  readonly onError?: (failure: Failure) => void;
  readonly onDelivery?: (report: DeliveryReport) => void;
}

export function report<T>(hook: ((about: T) => void) | undefined, about: T): void {
  try {
    // A hook may be an async function all the same: its rejection must not end the process.
    Promise.resolve(hook?.(about)).catch(logFailedHook);
  } catch (error) {
    logFailedHook(error);
  }
}

export function logFailure({ error, ...about }: Failure): void {
  logLine({ msg: 'handler failed', ...about, error: describe(error) });
}

function logFailedHook(error: unknown): void {
  logLine({ msg: 'hook failed', error: describe(error) });
}

function logLine(line: Readonly<Record<string, unknown>>): void {
  const time = new Date().toISOString();
  process.stderr.write(`${JSON.stringify({ level: 'error', time, ...line })}\n`);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
