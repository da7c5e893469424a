import { ConnectionFailed, rateLimitWait } from '@bellhop/client/plain';
import { ApiError } from '@bellhop/protocol/plain';
import {
  AdapterError,
  AdapterRateLimitError,
  AuthenticationError,
  NetworkError,
  ResourceNotFoundError,
  ValidationError,
} from '@chat-adapter/shared';
import { ChatError } from 'chat';

import { NAME } from './adapter-config.ts';

/** Calls the chat server to do something, as "post the message". Throws the errors of the Chat SDK. */
export async function calling<T>(action: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw adapterError(action, error);
  }
}

/** The error of the Chat SDK for one of the client or of the bot framework; others stay as they are. */
export function adapterError(action: string, error: unknown): unknown {
  if (error instanceof AdapterError || error instanceof ChatError) return error;
  // The bot framework wraps what the client throws.
  const cause = error instanceof Error && isKnown(error.cause) ? error.cause : error;
  const waitMs = rateLimitWait(cause);
  if (waitMs !== undefined)
    return withCause(new AdapterRateLimitError(NAME, Math.ceil(waitMs / 1000)), cause);
  if (cause instanceof ConnectionFailed || (cause instanceof ApiError && cause.status >= 500))
    return withCause(new NetworkError(NAME, `Could not ${action}: ${cause.message}`, cause), cause);
  if (!(cause instanceof ApiError)) return error;
  const { status, code, message } = cause;
  if (status === 401)
    return withCause(
      new AuthenticationError(
        NAME,
        `The chat server refuses the login of the bot (${message}). Check email and apiKey.`,
      ),
      cause,
    );
  if (code === 'STREAM_DOES_NOT_EXIST')
    return withCause(new ResourceNotFoundError(NAME, 'channel'), cause);
  return withCause(
    new ValidationError(NAME, `The chat server refused to ${action}: ${message}`),
    cause,
  );
}

const isKnown = (error: unknown) => error instanceof ApiError || error instanceof ConnectionFailed;

/** Their errors take no cause. */
function withCause<E extends Error>(error: E, cause: unknown): E {
  error.cause = cause;
  return error;
}
