import type { MessageId, Reaction, RealmId, UserId } from '@bellhop/protocol';
import { type RawBuilder, sql, type Generated } from 'kysely';

import type { Emoji } from '../../emoji/built-in-emoji.ts';
import type { Db, Tx } from '../../engine/call.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    reaction: {
      id: Generated<number>;
      realm_id: RealmId;
      message_id: MessageId;
      user_id: UserId;
      emoji_name: string;
      emoji_code: string;
      reaction_type: Reaction['reaction_type'];
    };
  }
}

/** The reactions to a message as a column, oldest first; null if there are none. */
export const reactionsOf = (realm: RealmId, message: string): RawBuilder<Reaction[] | null> =>
  sql`(select json_agg(json_build_object('emoji_name', e.emoji_name, 'emoji_code', e.emoji_code,
    'reaction_type', e.reaction_type, 'user_id', e.user_id) order by e.id)
    from reaction e where e.realm_id = ${realm} and e.message_id = ${sql.ref(`${message}.id`)})`;

/** The condition that a message has reactions. */
export const hasReaction = (message: string): RawBuilder<boolean> =>
  sql`exists (select from reaction e
    where e.realm_id = ${sql.ref(`${message}.realm_id`)} and e.message_id = ${sql.ref(`${message}.id`)})`;

interface MessageKey {
  readonly realm_id: RealmId;
  readonly message_id: MessageId;
}

/** The name that the first reaction with this emoji used; undefined if there is none. */
export async function nameInUse(
  db: Db,
  { realm_id, message_id }: MessageKey,
  { emoji_code, reaction_type }: Emoji,
): Promise<string | undefined> {
  const first = await db
    .selectFrom('reaction')
    .select('emoji_name')
    .where('realm_id', '=', realm_id)
    .where('message_id', '=', message_id)
    .where('emoji_code', '=', emoji_code)
    .where('reaction_type', '=', reaction_type)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return first?.emoji_name;
}

/** The reactions of one user to a message. */
export const ofUser = (
  db: Db,
  { realm_id, message_id }: MessageKey,
  user_id: UserId,
): Promise<Reaction[]> =>
  db
    .selectFrom('reaction')
    .select(['emoji_name', 'emoji_code', 'reaction_type', 'user_id'])
    .where('realm_id', '=', realm_id)
    .where('message_id', '=', message_id)
    .where('user_id', '=', user_id)
    .execute();

/** Adds a reaction; false if it exists already. */
export async function insert(tx: Tx, message: MessageKey, reaction: Reaction): Promise<boolean> {
  const added = await tx
    .insertInto('reaction')
    .values({ ...message, ...reaction })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return added !== undefined;
}

/** Removes a reaction and returns it; undefined if there was none. */
export const remove = (
  tx: Tx,
  { realm_id, message_id }: MessageKey,
  { emoji_code, reaction_type, user_id }: Emoji & { user_id: UserId },
): Promise<Reaction | undefined> =>
  tx
    .deleteFrom('reaction')
    .where('realm_id', '=', realm_id)
    .where('message_id', '=', message_id)
    .where('user_id', '=', user_id)
    .where('emoji_code', '=', emoji_code)
    .where('reaction_type', '=', reaction_type)
    .returning(['emoji_name', 'emoji_code', 'reaction_type', 'user_id'])
    .executeTakeFirst();
