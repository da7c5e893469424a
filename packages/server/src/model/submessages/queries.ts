import type { MessageId, RealmId, Submessage, UserId } from '@bellhop/protocol';
import { type RawBuilder, sql, type Generated } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    submessage: {
      id: Generated<number>;
      realm_id: RealmId;
      message_id: MessageId;
      sender_id: UserId;
      msg_type: string;
      content: string;
    };
  }
}

/** The submessages of a message as a column, oldest first; null if there are none. */
export const submessagesOf = (realm: RealmId, message: string): RawBuilder<Submessage[] | null> =>
  sql`(select json_agg(json_build_object('id', s.id, 'message_id', s.message_id,
    'sender_id', s.sender_id, 'msg_type', s.msg_type, 'content', s.content) order by s.id)
    from submessage s where s.realm_id = ${realm} and s.message_id = ${sql.ref(`${message}.id`)})`;

type NewSubmessage = Omit<Submessage, 'id'> & { readonly realm_id: RealmId };

export async function insert(tx: Tx, row: NewSubmessage): Promise<number> {
  const { id } = await tx
    .insertInto('submessage')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Deletes the submessages of a message. */
export async function removeAll(
  tx: Tx,
  { realm_id, message_id }: Pick<NewSubmessage, 'realm_id' | 'message_id'>,
): Promise<void> {
  await tx
    .deleteFrom('submessage')
    .where('realm_id', '=', realm_id)
    .where('message_id', '=', message_id)
    .execute();
}

/** Takes the id of the next submessage. */
async function nextId(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval('submessage_id_seq') as id`.execute(db);
  const [next] = rows;
  if (!next) throw new Error('There is no next submessage id');
  return next.id;
}

/** A widget as the first submessage of a message that is not stored yet. */
export const newWidget = async (
  db: Db,
  started: Pick<Submessage, 'message_id' | 'sender_id' | 'content'>,
): Promise<Submessage> => ({ id: await nextId(db), ...started, msg_type: 'widget' });

/** Stores submessages together with the commit, after the messages that are stored the same way. */
export function insertLast(tx: Tx, realm: RealmId, rows: readonly Submessage[]): void {
  if (rows.length === 0) return;
  const column = <C extends keyof Submessage>(name: C) => rows.map((row) => row[name]);
  const statement = sql`
    insert into submessage (realm_id, id, message_id, sender_id, msg_type, content)
    overriding system value
    select ${realm}, s.* from unnest(${column('id')}::bigint[], ${column('message_id')}::bigint[],
      ${column('sender_id')}::bigint[], ${column('msg_type')}::text[],
      ${column('content')}::text[]) s`;
  tx.last(statement.compile(tx));
}

interface AuthoredMessage {
  readonly realm_id: RealmId;
  readonly message_id: MessageId;
  readonly author_id: UserId;
}

/** What decides whether a message takes one more submessage. */
interface Attached {
  /** Whether the author of the message has added a submessage. */
  readonly by_author: boolean;
  /** The text of the widget. */
  readonly widget: string | undefined;
  /** Characters of all submessages. */
  readonly length: number;
}

export async function attachedTo(
  db: Db,
  { realm_id, message_id, author_id }: AuthoredMessage,
): Promise<Attached> {
  const { by_author, widget, length } = await db
    .selectFrom('submessage')
    .select([
      sql<boolean>`coalesce(bool_or(sender_id = ${author_id}), false)`.as('by_author'),
      sql<string | null>`(array_agg(content order by id) filter (where msg_type = 'widget'))[1]`.as(
        'widget',
      ),
      sql<number>`coalesce(sum(length(content)), 0)::integer`.as('length'),
    ])
    .where('realm_id', '=', realm_id)
    .where('message_id', '=', message_id)
    .executeTakeFirstOrThrow();
  return { by_author, widget: widget ?? undefined, length };
}
