import type { NarrowTerm } from '@bellhop/protocol';
import type { RawBuilder } from 'kysely';

import type { Db } from '../../../../engine/call.ts';
import type { Realm, User } from '../../../../engine/caller.ts';
import { badNarrow } from './bad-narrow.ts';

/** The user whose messages are narrowed. */
export interface NarrowContext {
  readonly db: Db;
  readonly realm: Realm;
  readonly user: User;
}

/** A term as SQL. */
export interface CompiledTerm {
  /** On a row `m` of `message`, joined with `um`, the user's flags on it. */
  readonly condition: RawBuilder<unknown>;
  /** The only kind of messages that can match. */
  readonly only?: 'channel' | 'direct';
  /** Whether the term is about flags, which only received messages have. */
  readonly personal?: boolean;
  /** An index finds the matching messages among those of the user. */
  readonly flagged?: 'unread' | 'marked';
}

const currentNames = new Map([
  ['stream', 'channel'],
  ['streams', 'channels'],
  ['pm-with', 'dm'],
  ['pm_with', 'dm'],
  ['dm_including', 'dm-including'],
  ['group_pm_with', 'group-pm-with'],
]);

/** Replaces an older name of the operator by the current one. */
export const canonical = (term: NarrowTerm): NarrowTerm => ({
  ...term,
  operator: currentNames.get(term.operator) ?? term.operator,
});

/** The operand if it is text. Throws BAD_NARROW. */
export function textOf({ operator, operand }: NarrowTerm): string {
  if (typeof operand !== 'string') throw badNarrow(`the operand of ${operator} must be text`);
  return operand;
}

/** The operand if it is a number or text. Throws BAD_NARROW. */
export function textOrIdOf({ operator, operand }: NarrowTerm): string | number {
  if (Array.isArray(operand)) throw badNarrow(`the operand of ${operator} must not be a list`);
  return operand;
}

/** The id in a number or in a text of digits; undefined for anything else. */
export function idIn(operand: string | number): number | undefined {
  const id = typeof operand === 'number' || /^\d+$/.test(operand) ? Number(operand) : Number.NaN;
  return Number.isSafeInteger(id) && id >= 0 ? id : undefined;
}
