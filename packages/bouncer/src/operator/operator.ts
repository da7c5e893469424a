import type { Database } from '@bellhop/postgres';

import type { BouncerTables } from '../storage/tables.ts';

/** The operator of the bouncer, with access to its database. */
export interface Operator {
  readonly database: Database<BouncerTables>;
  /** The name of their account, for the audit log. */
  readonly name: string;
  /** UNIX milliseconds. */
  readonly now: () => number;
}

/** An operation that cannot be carried out. The message says why. */
export class OperatorError extends Error {}

/** The time and the actor of an action, for `recordAction`. */
export const signatureOf = ({ name, now }: Operator) => ({
  at: new Date(now()),
  actor: `operator ${name}`,
});
