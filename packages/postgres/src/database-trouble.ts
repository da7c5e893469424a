import { CANNOT_CONNECT_NOW, errorCode, READ_ONLY } from './error-code.ts';

/** Why a database does not work for now. */
export interface DatabaseTrouble {
  /** A few words for `/readyz`. */
  readonly status: string;
  /** A sentence without its end. */
  readonly problem: string;
  /** What whoever asked should do. */
  readonly advice: string;
}

const RETRY = 'Try again in a few seconds.';
const UNREACHABLE: DatabaseTrouble = {
  status: 'no database',
  problem: 'The database cannot be reached or is too busy',
  advice: RETRY,
};
/** By SQLSTATE. */
const TROUBLES: Readonly<Record<string, DatabaseTrouble>> = {
  '53100': {
    status: 'disk full',
    problem: 'The disk of the database is full',
    advice: 'Try again when its operator has made room.',
  },
  '53200': {
    status: 'database out of memory',
    problem: 'The database is out of memory',
    advice: RETRY,
  },
  '53300': {
    status: 'too many connections',
    problem: 'The database has too many connections',
    advice: RETRY,
  },
  [READ_ONLY]: {
    status: 'read-only database',
    problem: 'The database is read-only, or a standby',
    advice: RETRY,
  },
  [CANNOT_CONNECT_NOW]: {
    status: 'database starting',
    problem: 'The database is starting, stopping or recovering',
    advice: RETRY,
  },
};

/** Why work on the database failed with this error. */
export function databaseTrouble(error: unknown): DatabaseTrouble {
  if (error instanceof AggregateError) {
    const [first] = error.errors;
    return databaseTrouble(first);
  }
  return TROUBLES[errorCode(error) ?? ''] ?? UNREACHABLE;
}
