import { ApiError } from '@bellhop/protocol';

/** The code, the status and the names of the extra keys of an API error; 'accepted' if there is none. */
export const apiErrorOf = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    (error: { code: string; status: number; data: object }) => ({
      code: error.code,
      status: error.status,
      keys: Object.keys(error.data).toSorted(),
    }),
  );

export const badRequest = { code: 'BAD_REQUEST', status: 400 };

/** The error code of an operation, which must fail with an ApiError. */
export async function errorCodeOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error('No ApiError', { cause: error });
  return error.code;
}
