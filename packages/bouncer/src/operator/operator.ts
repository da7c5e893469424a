import type { Database } from '@bellhop/postgres';

import type { BouncerTables } from '../tables.ts';

/** Whoever runs the bouncer, working on its database. */
export interface Operator {
  readonly database: Database<BouncerTables>;
  /** The name of their account, for the audit log. */
  readonly name: string;
  /** UNIX milliseconds. */
  readonly now: () => number;
}

/** What was asked for cannot be done. The message says why. */
export class OperatorError extends Error {}

/** When and by whom, for `recordAction`. */
export const signatureOf = ({ name, now }: Operator) => ({
  at: new Date(now()),
  actor: `operator ${name}`,
});
