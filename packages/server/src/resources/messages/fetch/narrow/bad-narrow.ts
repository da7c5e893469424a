import { ApiError } from '@bellhop/protocol';

/** A narrow that cannot be understood, and why. */
export const badNarrow = (desc: string): ApiError =>
  new ApiError('BAD_NARROW', { message: `Invalid narrow operator: ${desc}`, data: { desc } });
