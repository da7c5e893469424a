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
