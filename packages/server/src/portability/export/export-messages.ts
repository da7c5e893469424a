import { sql } from 'kysely';

import { receiversOf } from '../../model/messages/read/received.ts';
import type { UploadRow } from '../../model/uploads/queries.ts';
import { formFlags } from '../form-values.ts';
import type { TableExport } from './export-tables.ts';
import { hasMessage, hasUpload, isMessageOf, isOwn, type Scope } from './scope.ts';

export interface MessageExport {
  readonly id: number;
  readonly client: string;
  readonly edit_history: readonly object[] | null;
}

/** The messages after an ID, one file of them, oldest first. */
export const messagesAfter = (scope: Scope, after: number, limit: number) =>
  sql<MessageExport>`select m.id, m.realm_id as realm, m.sender_id as sender, m.recipient_id as recipient,
    m.topic as subject, m.content, m.rendered_content, m.sent_at as date_sent, m.client,
    m.channel_id is not null as is_channel_message, m.has_attachment, m.has_image, m.has_link,
    m.edit_history, m.last_edited_at as last_edit_time, m.last_moved_at as last_moved_time
    from message m where ${hasMessage(scope)} and m.id > ${after} order by m.id limit ${limit}`;

interface FlagsExport {
  readonly user_profile: number;
  readonly message: number;
  readonly flags: number;
}

/** The flags of people on messages between two IDs; in a public export nobody's. */
export const flagsBetween = (scope: Scope, first: number, last: number): TableExport => ({
  name: 'zerver_usermessage',
  query: sql`select f.user_id as user_profile, f.message_id as message, f.flags from ${receiversOf(scope.realm, sql`between ${first} and ${last}`)} f
    where ${isMessageOf(scope, 'f.message_id')} and ${isOwn(scope, 'f.user_id')}
    order by f.message_id, f.user_id`,
  record: ({ flags, ...row }: FlagsExport) => ({ ...row, flags_mask: formFlags(flags) }),
});

/** Uploaded files after an ID. */
export const uploadsAfter = (scope: Scope, after: number, limit: number) =>
  sql<UploadRow>`select u.* from upload u
    where ${hasUpload(scope)} and u.id > ${after} order by u.id limit ${limit}`;

/** attachment.json: what a file is called, and which messages link it. */
export const attachments = (scope: Scope): TableExport => ({
  name: 'zerver_attachment',
  query: sql`select u.id, u.realm_id as realm, u.owner_id as owner, u.name as file_name,
    u.realm_id || '/' || u.token || '/' || u.file_name as path_id, u.created_at as create_time, u.size,
    u.type as content_type,
    array(select l.message_id from upload_message l where l.realm_id = u.realm_id and l.upload_id = u.id
      and ${isMessageOf(scope, 'l.message_id')} order by l.message_id) as messages
    from upload u where ${hasUpload(scope)} order by u.id`,
});

/** The names of the programs with which messages were sent; their IDs are their places. */
export const clientsOf = (scope: Scope) =>
  sql<{
    client: string;
  }>`select distinct m.client from message m where ${hasMessage(scope)} order by 1`;
