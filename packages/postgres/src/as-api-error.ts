import { ApiError } from '@bellhop/protocol/contract';

import { DatabaseUnavailable } from './database-unavailable.ts';

/** Converts DatabaseUnavailable to the error SERVICE_UNAVAILABLE. Returns other errors unchanged. */
export const asApiError = (error: unknown): unknown =>
  error instanceof DatabaseUnavailable
    ? new ApiError('SERVICE_UNAVAILABLE', { message: error.message, cause: error })
    : error;
