import { ConnectionFailed } from '@bellhop/client';
import { ApiError } from '@bellhop/protocol';

import { BotError } from '../bot-error.ts';

/**
 * Runs a call of the API. What it throws becomes a BotError: `api_rejected` where the server says no,
 * `api_unreachable` where it cannot be asked or fails itself. An abort is thrown as it is.
 */
export async function calling<T>(what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw apiFailure(what, cause);
  }
}

function apiFailure(what: string, cause: unknown): unknown {
  if (cause instanceof ConnectionFailed || (cause instanceof ApiError && cause.status >= 500))
    return new BotError('api_unreachable', `Could not ${what}: ${cause.message}`, { cause });
  if (cause instanceof ApiError)
    return new BotError('api_rejected', `The server did not let us ${what}: ${cause.message}`, {
      cause,
    });
  return cause;
}
