import { DatabaseUnavailable } from '@bellhop/postgres';
import { ApiError } from '@bellhop/protocol';

/** What a caller gets when the database is unavailable. Returns other errors unchanged. */
export const unavailable = (error: unknown): unknown =>
  error instanceof DatabaseUnavailable
    ? new ApiError('SERVICE_UNAVAILABLE', { message: error.message, cause: error })
    : error;
