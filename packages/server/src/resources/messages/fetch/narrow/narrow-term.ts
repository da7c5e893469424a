import type { NarrowTerm } from '@bellhop/protocol';
import type { RawBuilder } from 'kysely';

import type { Db } from '../../../../engine/call.ts';
import type { Realm, User } from '../../../../engine/caller.ts';
import { badNarrow } from './bad-narrow.ts';

/** Who looks for messages. */
export interface Seeker {
  readonly db: Db;
  readonly realm: Realm;
  readonly user: User;
}

/** Holds or not for a row `m` of `message`, joined with the seeker's `um` of `user_message`. */
export type Condition = RawBuilder<unknown>;

/** A term as SQL. `only` says which messages it leaves, where it leaves only one kind. */
export interface Compiled {
  readonly condition: Condition;
  readonly only?: 'channel' | 'direct';
  /** It is about flags, which only received messages have. */
  readonly personal?: boolean;
}

const newNames = new Map([
  ['stream', 'channel'],
  ['streams', 'channels'],
  ['pm-with', 'dm'],
  ['pm_with', 'dm'],
  ['dm_including', 'dm-including'],
  ['group_pm_with', 'group-pm-with'],
]);

/** The term under the operator's present name. */
export const canonical = (term: NarrowTerm): NarrowTerm => ({
  ...term,
  operator: newNames.get(term.operator) ?? term.operator,
});

/** The operand of an operator that takes text only. */
export function textOf({ operator, operand }: NarrowTerm): string {
  if (typeof operand !== 'string') throw badNarrow(`the operand of ${operator} must be text`);
  return operand;
}

/** The operand of an operator that takes a number or text. */
export function textOrIdOf({ operator, operand }: NarrowTerm): string | number {
  if (Array.isArray(operand)) throw badNarrow(`the operand of ${operator} must not be a list`);
  return operand;
}

/** An id in a number or in digits; undefined for anything else. */
export function idIn(operand: string | number): number | undefined {
  const id = typeof operand === 'number' || /^\d+$/.test(operand) ? Number(operand) : Number.NaN;
  return Number.isSafeInteger(id) && id >= 0 ? id : undefined;
}
