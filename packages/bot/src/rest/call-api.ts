import { ConnectionFailed } from '@bellhop/client/plain';
import { ApiError } from '@bellhop/protocol/plain';

import { BotError } from '../bot-error.ts';

/**
 * Calls the API. Throws BotError `api_rejected` if the server refuses the call, and `api_unreachable`
 * if the server does not respond or fails. Any other error, an abort for one, is thrown unchanged.
 */
export async function callApi<T>(action: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw apiFailure(action, cause);
  }
}

function apiFailure(action: string, cause: unknown): unknown {
  if (cause instanceof ConnectionFailed || (cause instanceof ApiError && cause.status >= 500))
    return new BotError('api_unreachable', `Could not ${action}: ${cause.message}`, { cause });
  if (cause instanceof ApiError)
    return new BotError('api_rejected', `The server refused to ${action}: ${cause.message}`, {
      cause,
    });
  return cause;
}
