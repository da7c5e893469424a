import { badRequest } from '@bellhop/protocol';

import type { Handlers, Resource } from '../../engine/resource.ts';
import { attachmentRecord } from '../../model/uploads/attachment-record.ts';
import * as queries from '../../model/uploads/queries.ts';
import { removeUploads } from './remove-uploads.ts';

const handlers: Handlers<'attachments'> = {
  async list({ user, realm, db }) {
    const rows = await queries.ofOwner(db, user);
    const links = await queries.linksOf(
      db,
      realm.id,
      rows.map(({ id }) => id),
    );
    const messages = (id: number) =>
      (links.get(id) ?? []).map((link) => ({ id: link.id, date_sent: link.date_sent ?? 0 }));
    return {
      attachments: rows.map((row) => attachmentRecord(row, messages(row.id))),
      upload_space_used: await queries.spaceUsed(db, realm.id),
    };
  },

  async remove({ user, realm, params, db, emit }) {
    const row = await queries.byId(db, realm.id, params.attachment_id);
    if (row?.owner_id !== user.id) throw badRequest('Invalid attachment');
    const removed = await removeUploads({ db, emit }, realm, [row.id]);
    if (removed === 0) throw badRequest('Invalid attachment');
    return {};
  },
};

export const attachments: Resource<'attachments'> = { handlers };
