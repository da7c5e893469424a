import { jsonb } from '@bellhop/postgres';
import type { ChannelId, EditHistoryEntry, MessageId, RealmId } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Tx } from '../../../engine/call.ts';

export interface NewContent {
  readonly content: string;
  readonly rendered_content: string;
  readonly is_me_message: boolean;
  readonly has_link: boolean;
  readonly has_image: boolean;
  readonly has_attachment: boolean;
}

/** Stores the new content of a message. The search column is generated from it. */
export async function setContent(
  tx: Tx,
  { realm, id }: { realm: RealmId; id: MessageId },
  columns: NewContent & { readonly last_edited_at: number },
): Promise<void> {
  await tx
    .updateTable('message')
    .set(columns)
    .where('realm_id', '=', realm)
    .where('id', '=', id)
    .execute();
}

export interface RenderedRow {
  readonly id: MessageId;
  readonly channel_id: ChannelId | null;
  readonly content: string;
  readonly rendered_content: string;
  readonly is_me_message: boolean;
}

/** A message with its HTML, locked until the commit. */
export const lockRendered = (
  tx: Tx,
  realm: RealmId,
  id: MessageId,
): Promise<RenderedRow | undefined> =>
  tx
    .selectFrom('message')
    .select(['id', 'channel_id', 'content', 'rendered_content', 'is_me_message'])
    .where('realm_id', '=', realm)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();

/** Stores new HTML of the same content. */
export async function setRendering(
  tx: Tx,
  { realm, id }: { realm: RealmId; id: MessageId },
  rendered_content: string,
): Promise<void> {
  await tx
    .updateTable('message')
    .set({ rendered_content })
    .where('realm_id', '=', realm)
    .where('id', '=', id)
    .execute();
}

const MAX_HISTORY_ENTRIES = 100;
/** What an entry says of the message after the edit, as an array of PostgreSQL; the rest is of the version before. */
const NEW_STATE = '{user_id,timestamp,stream,topic}';
/** Characters of JSON. The entry that exceeds it is still stored. */
const MAX_HISTORY_LENGTH = 250_000;

/**
 * Adds an entry to the edit history of messages; a new topic is recorded with each one's own old topic.
 * A full history keeps its oldest versions: its newest entry then also stands for the new edit, and the
 * version between the two is forgotten.
 */
export async function recordHistory(
  tx: Tx,
  { realm, ids }: { realm: RealmId; ids: readonly MessageId[] },
  entry: EditHistoryEntry,
): Promise<void> {
  const own = sql`case when ${jsonb(entry)} ? 'prev_topic'
    then jsonb_object(array['prev_topic', topic]) else '{}' end`;
  await sql`update message set edit_history = case
      when jsonb_array_length(edit_history) >= ${MAX_HISTORY_ENTRIES}
        or length(edit_history::text) >= ${MAX_HISTORY_LENGTH}
      then jsonb_set(edit_history, '{0}', edit_history -> 0 || (${jsonb(entry)} || ${own})
        || ((edit_history -> 0) - ${sql.lit(NEW_STATE)}::text[]))
      else '[]' || (${jsonb(entry)} || ${own}) || coalesce(edit_history, '[]') end
    where realm_id = ${realm} and id = any(${ids}::bigint[])`.execute(tx);
}
