import type { NarrowTerm, UserId } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import type { User } from '../../../../engine/caller.ts';
import { visibleByIds } from '../../../users/access.ts';
import { usersByAddress } from '../../../users/users-by-address.ts';
import { badNarrow } from './bad-narrow.ts';
import { type CompiledTerm, idIn, type NarrowContext, textOrIdOf } from './narrow-term.ts';

/** Matches messages from a user. */
export async function sentBy(context: NarrowContext, term: NarrowTerm): Promise<CompiledTerm> {
  const { id } = await person(context, term);
  return { condition: sql`m.sender_id = ${id}` };
}

/** Matches the conversation of exactly these people and the user. */
export async function directWith(context: NarrowContext, term: NarrowTerm): Promise<CompiledTerm> {
  const { user, realm } = context;
  const others = await people(context, term);
  const ids = new Set<UserId>([...others.map(({ id }) => id), user.id]);
  const sorted = [...ids].toSorted((a, b) => a - b);
  return {
    condition: sql`m.recipient_id = (select id from recipient
      where realm_id = ${realm.id} and user_ids = ${sorted}::bigint[])`,
    only: 'direct',
  };
}

/** Matches every conversation of the user in which another one takes part. */
export async function directIncluding(
  context: NarrowContext,
  term: NarrowTerm,
): Promise<CompiledTerm> {
  const { id } = await person(context, term);
  return { condition: conversations(context, id, sql`true`), only: 'direct' };
}

/** Matches the group conversations (three people or more) of the user with another one. */
export async function groupIncluding(
  context: NarrowContext,
  term: NarrowTerm,
): Promise<CompiledTerm> {
  const { id } = await person(context, term);
  return {
    condition: conversations(context, id, sql`cardinality(user_ids) > 2`),
    only: 'direct',
  };
}

const conversations = ({ user, realm }: NarrowContext, other: UserId, size: RawBuilder<unknown>) =>
  sql`m.recipient_id in (select id from recipient where realm_id = ${realm.id}
    and user_ids @> ${[user.id, other]}::bigint[] and ${size})`;

async function person(context: NarrowContext, term: NarrowTerm): Promise<User> {
  const operand = textOrIdOf(term);
  const [found] = await findAll(context, [operand]);
  if (!found) throw badNarrow(`unknown user '${operand}'`);
  return found;
}

/** The users in a list of ids or addresses, one id, or addresses separated by commas. */
async function people(context: NarrowContext, { operand }: NarrowTerm): Promise<User[]> {
  const listed = typeof operand === 'string' ? operand.split(',') : [operand].flat();
  const found = await findAll(context, listed);
  if (found.length === 0) throw badNarrow(`unknown user in '${listed.join(',')}'`);
  return found;
}

/** All users in the list; none if one of them is unknown. */
async function findAll(
  { db, realm, user }: NarrowContext,
  named: readonly (string | number)[],
): Promise<User[]> {
  const ids = named.map(idIn).filter((id) => id !== undefined);
  // A number that can be no id, such as a negative one, is nobody's address either.
  const emails = named.filter((item) => idIn(item) === undefined);
  const [byId, byEmail] = await Promise.all([
    visibleByIds(db, { realm, viewer: user }, ids),
    usersByAddress(db, { realm, viewer: user }, emails.map(String)),
  ]);
  const known = byId.length === new Set(ids).size && byEmail.unknown === undefined;
  return known ? [...byId, ...byEmail.users] : [];
}
