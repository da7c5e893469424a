import { ConnectionFailed, rateLimitWait } from '@bellhop/client';
import { ApiError } from '@bellhop/protocol';

/** A failure whose message tells the model what it can do. */
export class ToolError extends Error {}

/** The answer to a writing call was lost: the server may have carried it out. */
export class UncertainError extends ToolError {}

/**
 * Makes the writing call of a tool. Throws UncertainError unless the server has said that it refused:
 * a model that repeats a lost call would post twice.
 */
export async function writing<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    if (cause instanceof ApiError && cause.status < 500) throw cause;
    throw new UncertainError(
      'The connection was lost before the server answered, so this may have happened or not. Read the conversation before you try again.',
      { cause },
    );
  }
}

/** What the model reads about a failure; undefined for a fault of this program. */
export function explainFailure(error: unknown): string | undefined {
  if (error instanceof ToolError) return error.message;
  const waitMs = rateLimitWait(error);
  if (waitMs !== undefined)
    return `The chat server allows no more calls for now. Wait ${Math.ceil(waitMs / 1000)} seconds, then call again.`;
  if (error instanceof ConnectionFailed)
    return `The chat server cannot be reached or does not answer as it should (${error.message}). Nothing was changed. Try again later.`;
  if (!(error instanceof ApiError)) return undefined;
  if (error.status === 401)
    return `The chat server no longer accepts the login of this bot (${error.message}). Calls will fail until the person who set it up has given it a valid API key: tell them.`;
  if (error.status >= 500)
    return `The chat server has failed (${error.message}). Nothing was changed. Try again later.`;
  return `The chat server refused: ${error.message}`;
}
