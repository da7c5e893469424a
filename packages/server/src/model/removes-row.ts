import type { DeleteResult } from 'kysely';

/** Runs a DELETE. Returns whether it removed a row. */
export const removesRow = async (statement: {
  readonly executeTakeFirst: () => Promise<DeleteResult>;
}): Promise<boolean> => (await statement.executeTakeFirst()).numDeletedRows > 0n;
