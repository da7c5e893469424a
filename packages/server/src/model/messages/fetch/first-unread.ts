import type { MessageId } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import type { User } from '../../../engine/caller.ts';
import { messagesOf, receivedAllowed, withChannels } from '../read/readable.ts';
import { firstOfSubscriptions, firstReceived, together } from '../read/received.ts';
import { type CompiledNarrow, conditionsOf } from './narrow/compile-narrow.ts';
import type { NarrowContext } from './narrow/narrow-term.ts';

/** The oldest matching message that the reader has not read. */
export async function firstUnread(
  { db, user }: Pick<NarrowContext, 'db' | 'user'>,
  narrow: CompiledNarrow,
): Promise<MessageId | undefined> {
  const { rows } = await sql<{ id: MessageId }>`${withChannels(user)}
    select u.id from ${together(partsOf(user, narrow))} u order by u.id limit 1`.execute(db);
  return rows[0]?.id;
}

function partsOf(user: User, narrow: CompiledNarrow): readonly RawBuilder<unknown>[] {
  const conditions = [receivedAllowed, ...conditionsOf(narrow)];
  if (narrow.search) {
    const { from } = messagesOf(user, { history: false, ids: sql`> 0` });
    const found = sql.join([from, ...conditions, sql`um.flags & 1 = 0`], sql` and `);
    return [sql`select m.id from ${found} order by m.id limit 1`];
  }
  const wanted = {
    ids: sql`> 0`,
    among: 'unread',
    conditions: [...conditions, sql`um.flags & 1 = 0`],
    columns: () => sql`m.id`,
    order: 'asc',
    limit: 1,
  } as const;
  return narrow.in_conversation && !narrow.personal
    ? [walk(user, sql.join(conditions, sql` and `)), ...firstOfSubscriptions(user, wanted)]
    : firstReceived(user, wanted);
}

/**
 * Finds the first id that is in two indexes, of the rows of unread messages of the user and of the messages of a
 * conversation, by turns: from an id in one it jumps to the next id in the other. Neither many unread
 * messages elsewhere nor many read ones in the conversation are read. `conditions` are over `m` only.
 */
function walk({ id, realm_id }: User, conditions: RawBuilder<unknown>): RawBuilder<unknown> {
  const unread = (from: RawBuilder<unknown>) => sql`(select um.message_id as id from user_message um
    where um.realm_id = ${realm_id} and um.user_id = ${id} and um.flags & 1 = 0
      and um.message_id >= ${from} order by um.message_id limit 1)`;
  const matching = (from: RawBuilder<unknown>) => sql`(select m.id from message m
    where m.realm_id = ${realm_id} and m.id >= ${from} and ${conditions} order by m.id limit 1)`;
  return sql`select w.matching as id from (
    with recursive walk (unread, matching) as (
      select u.id, n.id from ${unread(sql`0`)} u cross join lateral ${matching(sql`u.id`)} n
      union all
      select u.id, n.id from walk w cross join lateral ${unread(sql`w.matching`)} u
      cross join lateral ${matching(sql`u.id`)} n where w.unread <> w.matching
    ) select unread, matching from walk) w where w.unread = w.matching`;
}
