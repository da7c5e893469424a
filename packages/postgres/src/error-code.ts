import { DatabaseError } from 'pg';

/** The SQLSTATE of a change on a standby, or in a database that accepts none. */
export const READ_ONLY = '25006';
/** The SQLSTATE of a server that is starting, stopping or recovering. */
export const CANNOT_CONNECT_NOW = '57P03';

/** The SQLSTATE of a database error ('23505': unique violation), else undefined. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Whether a transaction that rejected with this error is certainly rolled back: the database rejected
 * one of its queries. False if the connection was lost or the flush failed.
 */
export function isRolledBack(error: unknown): boolean {
  return error instanceof DatabaseError && !/^(08|57P)/.test(error.code ?? '');
}
