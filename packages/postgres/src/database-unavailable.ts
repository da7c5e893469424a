import { type DatabaseTrouble, databaseTrouble } from './database-trouble.ts';
import { errorCode } from './error-code.ts';

/**
 * The database cannot be reached, does not answer in time or refuses work for now. The message says
 * what the caller should do.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
  /** Whether the transaction may have been committed, and may still be lost. */
  readonly mayBeCommitted: boolean;
  /** The SQLSTATE or the system's error code of the cause, if it has one. */
  readonly code: string | undefined;

  constructor({ cause, mayBeCommitted = false }: { cause: unknown; mayBeCommitted?: boolean }) {
    super(mayBeCommitted ? MAY_BE_COMMITTED : nothingChanged(cause), { cause });
    this.mayBeCommitted = mayBeCommitted;
    this.code = errorCode(cause);
  }
}

function nothingChanged(cause: unknown): string {
  const { problem, advice } = databaseTrouble(cause);
  return `${problem}; nothing was changed. ${advice}`;
}
const MAY_BE_COMMITTED =
  'The connection to the database was lost during the commit; the change may or may not have been ' +
  'made. Look before you repeat it.';

/** Wraps an error that says that the database is unavailable. Returns others unchanged. */
export function asUnavailable(error: unknown, mayBeCommitted = false): unknown {
  if (error instanceof DatabaseUnavailable || !isUnavailable(error)) return error;
  return new DatabaseUnavailable({ cause: error, mayBeCommitted });
}

/**
 * Why a database cannot be used for now, if an error or one of its causes says so; undefined if nothing
 * but a change by somebody would help.
 */
export function passingTrouble(error: unknown): DatabaseTrouble | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (isUnavailable(cause)) return databaseTrouble(cause);
  return undefined;
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isUnavailable);
  const code = errorCode(error);
  if (code !== undefined) return UNAVAILABLE_STATES.test(code) || NETWORK_CODES.has(code);
  return error instanceof Error && DRIVER_MESSAGES.test(error.message);
}

/**
 * Connection lost, resources exhausted (disk, connections), shut down, not yet started; a lock, a
 * statement or an idle transaction that took too long; a server that has become a standby.
 */
const UNAVAILABLE_STATES = /^(08...|53...|57P..|55P03|57014|25P0[34]|25006)$/;
const NETWORK_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Errors of the driver have no code. */
const DRIVER_MESSAGES =
  /^(timeout e|Connection terminated|Query read timeout|Client (has encountered|was closed))/;
