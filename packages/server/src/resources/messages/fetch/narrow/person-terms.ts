import type { NarrowTerm, UserId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { User } from '../../../../engine/caller.ts';
import * as users from '../../../users/queries.ts';
import { usersByAddress } from '../../../users/users-by-address.ts';
import { badNarrow } from './bad-narrow.ts';
import { type Compiled, type Condition, idIn, type Seeker, textOrIdOf } from './narrow-term.ts';

/** Messages somebody wrote. */
export async function sentBy(seeker: Seeker, term: NarrowTerm): Promise<Compiled> {
  const { id } = await person(seeker, term);
  return { condition: sql`m.sender_id = ${id}` };
}

/** The conversation of exactly these people and the seeker. */
export async function directWith(seeker: Seeker, term: NarrowTerm): Promise<Compiled> {
  const { user, realm } = seeker;
  const others = await people(seeker, term);
  const ids = new Set<UserId>([...others.map(({ id }) => id), user.id]);
  const sorted = [...ids].toSorted((a, b) => a - b);
  return {
    condition: sql`m.recipient_id = (select id from recipient
      where realm_id = ${realm.id} and user_ids = ${sorted}::bigint[])`,
    only: 'direct',
  };
}

/** Every conversation of the seeker that somebody takes part in. */
export async function directIncluding(seeker: Seeker, term: NarrowTerm): Promise<Compiled> {
  const { id } = await person(seeker, term);
  return { condition: conversations(seeker, id, sql`true`), only: 'direct' };
}

/** The same, of three people or more. */
export async function groupIncluding(seeker: Seeker, term: NarrowTerm): Promise<Compiled> {
  const { id } = await person(seeker, term);
  return {
    condition: conversations(seeker, id, sql`cardinality(user_ids) > 2`),
    only: 'direct',
  };
}

const conversations = ({ user, realm }: Seeker, other: UserId, size: Condition) =>
  sql`m.recipient_id in (select id from recipient where realm_id = ${realm.id}
    and user_ids @> ${[user.id, other]}::bigint[] and ${size})`;

async function person(seeker: Seeker, term: NarrowTerm): Promise<User> {
  const operand = textOrIdOf(term);
  const [found] = await findAll(seeker, [operand]);
  if (!found) throw badNarrow(`unknown user '${operand}'`);
  return found;
}

/** Operands: ids or addresses in a list, one id, or addresses between commas. */
async function people(seeker: Seeker, { operand }: NarrowTerm): Promise<User[]> {
  const listed = typeof operand === 'string' ? operand.split(',') : [operand].flat();
  const found = await findAll(seeker, listed);
  if (found.length === 0) throw badNarrow(`unknown user in '${listed.join(',')}'`);
  return found;
}

/** Everybody who is named; nobody unless all are known. */
async function findAll(
  { db, realm, user }: Seeker,
  named: readonly (string | number)[],
): Promise<User[]> {
  const ids = named.map(idIn).filter((id) => id !== undefined);
  const emails = named.filter((item) => typeof item === 'string' && idIn(item) === undefined);
  const [byId, byEmail] = await Promise.all([
    ids.length > 0 ? users.byIds(db, realm.id, ids) : [],
    usersByAddress(db, { realm, viewer: user }, emails.map(String)),
  ]);
  const known = byId.length === new Set(ids).size && byEmail.unknown === undefined;
  return known ? [...byId, ...byEmail.users] : [];
}
