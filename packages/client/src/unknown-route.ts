import { ApiError } from '@bellhop/protocol/plain';

import { ConnectionFailed } from './connection-failed.ts';

/**
 * Whether a server does not know the route of a call, as those without our extensions of the protocol.
 * This one answers 404 in JSON, others with a page.
 */
export const isUnknownRoute = (error: unknown): boolean =>
  (error instanceof ApiError || error instanceof ConnectionFailed) && error.status === 404;
