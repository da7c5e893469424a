import type { Kysely } from 'kysely';

import type { BouncerTables } from './tables.ts';

export const DAY_MS = 86_400_000;

interface Sweeping {
  readonly db: Kysely<BouncerTables>;
  /** UNIX milliseconds. */
  readonly now: number;
  /** What the operator keeps. */
  readonly keep: { readonly auditDays: number; readonly traces: number };
  /** Aborts when the bouncer stops. */
  readonly signal: AbortSignal;
}

/** Deletes what is too old. `upkeep.ts` lists the sweeps of all folders. */
export type Sweep = (sweeping: Sweeping) => Promise<unknown>;
