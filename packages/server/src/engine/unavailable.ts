import { DatabaseUnavailable } from '@bellhop/postgres';
import { ApiError } from '@bellhop/protocol';

/**
 * Converts errors of an unavailable database to SERVICE_UNAVAILABLE. Returns other errors
 * unchanged.
 */
export const unavailable = (error: unknown): unknown =>
  error instanceof DatabaseUnavailable
    ? new ApiError('SERVICE_UNAVAILABLE', { message: error.message, cause: error })
    : error;
