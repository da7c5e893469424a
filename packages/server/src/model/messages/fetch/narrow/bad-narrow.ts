import { ApiError } from '@bellhop/protocol';

/** The error for an invalid narrow; `desc` is the reason. */
export const badNarrow = (desc: string): ApiError =>
  new ApiError('BAD_NARROW', { message: `Invalid narrow operator: ${desc}`, data: { desc } });
