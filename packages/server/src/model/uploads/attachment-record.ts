import type { Attachment } from '@bellhop/protocol';

import type { UploadRow } from './queries.ts';

/** The part of a file's address after /user_uploads/. */
export const pathOf = ({
  realm_id,
  token,
  file_name,
}: Pick<UploadRow, 'realm_id' | 'token' | 'file_name'>): string =>
  `${realm_id}/${token}/${file_name}`;

/** A file as its owner sees it. */
export const attachmentRecord = (row: UploadRow, messages: Attachment['messages']): Attachment => ({
  id: row.id,
  name: row.name,
  path_id: pathOf(row),
  size: row.size,
  create_time: row.created_at,
  messages,
  message_ids: messages.map(({ id }) => id),
});
