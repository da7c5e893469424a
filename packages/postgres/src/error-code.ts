import { DatabaseError } from 'pg';

/** The SQLSTATE of an error the database answered with ('23505' is a unique violation), else undefined. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Whether a transaction that rejected with this error certainly left nothing behind: the database
 * itself refused one of its queries. False where a connection was lost, or only the wait for the disk
 * failed.
 */
export function leftNothing(error: unknown): boolean {
  return error instanceof DatabaseError && !/^(08|57P)/.test(error.code ?? '');
}
