/** Time limits of the database work of one kind, in milliseconds; 0 means none. */
export interface WorkLimits {
  /** The limit of one statement. */
  readonly statementMs: number;
  /** The limit of the wait for a lock that another transaction holds. */
  readonly lockMs: number;
  /**
   * The limit of the pause between two statements of a transaction; then its locks are released.
   */
  readonly idleMs: number;
}

/**
 * The limits of each kind of work. They bound how long a node that froze or lost power inside a
 * transaction can hold up others, and how long a caller waits.
 */
export const workLimits = {
  /** A request, and every transaction that names no kind. */
  request: { statementMs: 15_000, lockMs: 5000, idleMs: 10_000 },
  /** The writes at the end of a job. */
  job: { statementMs: 60_000, lockMs: 10_000, idleMs: 30_000 },
  /** Deletion of expired rows. */
  sweep: { statementMs: 300_000, lockMs: 5000, idleMs: 30_000 },
  /** A file of migrations. While it waits for a lock on a table, later statements on the table wait behind it. */
  migration: { statementMs: 0, lockMs: 30_000, idleMs: 60_000 },
} as const satisfies Record<string, WorkLimits>;

export type KindOfWork = keyof typeof workLimits;

/** Statements for the beginning of a transaction, each after a semicolon. */
export const setLocalLimits = ({ statementMs, lockMs, idleMs }: WorkLimits): string =>
  `; set local statement_timeout = ${statementMs}; set local lock_timeout = ${lockMs}` +
  `; set local idle_in_transaction_session_timeout = ${idleMs}`;

/**
 * The time after the limit of the database at which this process gives up a statement and its
 * connection.
 */
const GRACE_MS = 5000;

/** The time limit of a statement in this process, for a database that does not answer at all. */
export const responseMs = ({ statementMs }: WorkLimits): number | undefined =>
  statementMs === 0 ? undefined : statementMs + GRACE_MS;
