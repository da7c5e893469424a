import type { Attachment, MessageId } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import type { Previews } from '../../markdown/fill-previews.ts';
import { attachmentRecord, pathOf } from '../../model/uploads/attachment-record.ts';
import { previewsOf, tokenOf } from '../../model/uploads/previews-of.ts';
import * as queries from '../../model/uploads/queries.ts';
import type { UploadRow } from '../../model/uploads/queries.ts';

type AttachmentChange = Pick<Change<'attachment'>, 'db' | 'emit'>;
interface LinkingMessage {
  readonly realm: Pick<Realm, 'id'>;
  /** The sender of the message, who attaches only files that they may download. */
  readonly user: User;
  readonly message: { readonly id: MessageId; readonly sent_at: number };
  /** The links of the message: `attachment_paths` of its rendered content. */
  readonly paths: readonly string[];
  /** UNIX seconds. */
  readonly now: number;
}
export interface Attached {
  /** The value of the message's `has_attachment`. */
  readonly has_attachment: boolean;
  /** Files that no message links any more. */
  readonly detached: Attachment[];
  /** The previews of the files in the message. The files are locked until the commit. */
  readonly previews: Previews;
}

/**
 * Attaches the files that a message links and detaches those that it no longer links, with events to
 * their owners. For a message that is about to be stored and for one whose content was edited.
 */
export async function attachUploads(
  { db, emit }: AttachmentChange,
  { realm, user, message, paths, now }: LinkingMessage,
): Promise<Attached> {
  const tokens = paths.map(tokenOf);
  const before = await queries.linkedBy(db, realm.id, [message.id]);
  const found = await queries.visibleByTokens(db, user, tokens);
  const isLinked = (row: UploadRow) => paths.includes(pathOf(row));
  const linkedBefore = new Set(before.map(({ id }) => id));
  const added = found.filter((row) => isLinked(row) && !linkedBefore.has(row.id));
  const removed = before.filter((row) => !isLinked(row));
  await queries.link(db, realm.id, message.id, idsOf(added));
  await queries.unlink(db, realm.id, { messages: [message.id], ids: idsOf(removed), now });
  const records = await emitUpdates({ db, emit }, realm, { rows: [...added, ...removed], message });
  const removedIds = new Set(idsOf(removed));
  return {
    has_attachment: before.length - removed.length + added.length > 0,
    detached: records.filter(({ id, messages }) => removedIds.has(id) && messages.length === 0),
    previews: previewsOf([...before.filter(isLinked), ...added]),
  };
}

interface DeletedMessages {
  readonly realm: Pick<Realm, 'id'>;
  readonly messages: readonly MessageId[];
  /** UNIX seconds. */
  readonly now: number;
}

/** Detaches the files of deleted messages, with events to their owners. */
export async function detachUploads(
  { db, emit }: AttachmentChange,
  { realm, messages, now }: DeletedMessages,
): Promise<void> {
  const rows = await queries.linkedBy(db, realm.id, messages);
  await queries.unlink(db, realm.id, { messages, ids: idsOf(rows), now });
  await emitUpdates({ db, emit }, realm, { rows });
}

const idsOf = (rows: readonly UploadRow[]) => rows.map(({ id }) => id);

interface ChangedUploads {
  readonly rows: readonly UploadRow[];
  /** The message being attached to, which may not be stored yet. */
  readonly message?: LinkingMessage['message'];
}

/** Emits the attachments with their current messages to their owners, and returns them. */
async function emitUpdates(
  { db, emit }: AttachmentChange,
  realm: Pick<Realm, 'id'>,
  { rows, message }: ChangedUploads,
): Promise<Attachment[]> {
  if (rows.length === 0) return [];
  const links = await queries.linksOf(db, realm.id, idsOf(rows));
  const upload_space_used = await queries.spaceUsed(db, realm.id);
  return rows.map((row) => {
    const messages = (links.get(row.id) ?? []).map(({ id, date_sent }) => ({
      id,
      date_sent: date_sent ?? message?.sent_at ?? 0,
    }));
    const attachment = attachmentRecord(row, messages);
    emit({ type: 'attachment', op: 'update', attachment, upload_space_used }, [row.owner_id]);
    return attachment;
  });
}
