import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { UserId } from '@bellhop/protocol';

import { FileStoreFault, MissingBytes } from '../../files/file-store.ts';
import type { UploadRow } from '../../model/uploads/queries.ts';
import { readUpload } from '../../model/uploads/read-upload.ts';
import * as users from '../../model/users/queries.ts';
import { formFiles, PortabilityError } from '../form.ts';
import { attachments, uploadsAfter } from './export-messages.ts';
import type { ExportRun } from './export-run.ts';
import { one, PAGE, reading, writeBytes, writeJson, writeTable } from './write-files.ts';

/** Files after which the place is noted. */
const FILES_PER_NOTE = 20;

/** Uploaded files, and which messages link them. */
export async function writeUploads(run: ExportRun): Promise<void> {
  const { db, folder, scope, state, progress, signal } = run;
  let written = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { rows } = await uploadsAfter(scope, state.upload, FILES_PER_NOTE).execute(db.kysely);
    if (rows.length === 0) break;
    for (const row of rows) {
      await writeUpload(run, row);
      state.upload = row.id;
    }
    await run.note();
    written += rows.length;
    progress({ what: 'files', done: written });
  }
  await mkdir(join(folder, 'uploads'), { recursive: true });
  await writeJson(join(folder, 'uploads', formFiles.records), async (file) => {
    await file.list(uploadRecords(run));
  });
  await writeJson(join(folder, formFiles.attachments), async (file) => {
    await db.transaction((tx) => writeTable(file, tx, attachments(scope)), reading);
  });
}

/** Throws a PortabilityError for a file whose bytes are lost, or cannot be read now. */
async function writeUpload({ db, files, folder }: ExportRun, row: UploadRow): Promise<void> {
  const path = pathIn(row);
  try {
    const bytes = readUpload({ db, files }, row, 0, row.size);
    await writeBytes(join(folder, 'uploads', path), bytes);
  } catch (error) {
    if (error instanceof FileStoreFault) throw new PortabilityError(error.message);
    if (!(error instanceof MissingBytes)) throw error;
    throw new PortabilityError(
      `/user_uploads/${path} has lost its content. Delete it, or restore it, and run the command again.`,
    );
  }
}

const pathIn = (row: { realm_id: number; token: string; file_name: string }) =>
  `${row.realm_id}/${row.token}/${row.file_name}`;

async function* uploadRecords({ db, scope }: ExportRun): AsyncGenerator<object[]> {
  for (let after = 0; ;) {
    const { rows } = await uploadsAfter(scope, after, PAGE).execute(db.kysely);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => ({
      realm_id: row.realm_id,
      user_profile_id: row.owner_id,
      path: pathIn(row),
      s3_path: pathIn(row),
      file_name: row.name,
      size: row.size,
      content_type: row.type,
      last_modified: row.created_at,
    }));
    after = last.id;
  }
}

/** The pictures of people, in the larger of their sizes. */
export async function writeAvatars(run: ExportRun): Promise<void> {
  const { db, folder, scope, state, signal } = run;
  const { realm, only } = scope;
  const path = (user: number) => `${realm}/${user}.original`;
  const after = (user: number, limit: number) =>
    db.kysely
      .selectFrom('avatar')
      .select(['user_id', 'version'])
      .where('realm_id', '=', realm)
      .where('user_id', '>', user as UserId)
      .$if(typeof only === 'number', (query) => query.where('user_id', '=', only as UserId))
      .orderBy('user_id')
      .limit(limit)
      .execute();
  for (;;) {
    signal?.throwIfAborted();
    const rows = await after(state.avatar, FILES_PER_NOTE);
    if (rows.length === 0) break;
    for (const { user_id: id } of rows) {
      const found = await users.avatar(db.kysely, { id, realm_id: realm }, 'medium');
      if (found) await writeBytes(join(folder, 'avatars', path(id)), one(found.bytes));
      state.avatar = id;
    }
    await run.note();
  }
  async function* records(): AsyncGenerator<object[]> {
    for (let user = 0; ;) {
      const rows = await after(user, PAGE);
      const last = rows.at(-1);
      if (!last) return;
      yield rows.map(({ user_id, version }) => ({
        realm_id: realm,
        user_profile_id: user_id,
        avatar_version: version,
        path: path(user_id),
        s3_path: path(user_id),
        content_type: 'image/png',
      }));
      user = last.user_id;
    }
  }
  await mkdir(join(folder, 'avatars'), { recursive: true });
  await writeJson(join(folder, 'avatars', formFiles.records), async (file) => {
    await file.list(records());
  });
}

/** Custom emoji, and the icon and logos of the organization. */
export async function writePictures({ db, folder, scope: { realm } }: ExportRun): Promise<void> {
  const emoji = await db.kysely
    .selectFrom('realm_emoji')
    .select(['id', 'name', 'author_id', 'is_active', 'media_type'])
    .where('realm_id', '=', realm)
    .orderBy('id')
    .execute();
  const emojiRecords: object[] = [];
  for (const { id, name, author_id, is_active, media_type } of emoji) {
    const file_name = `${id}.${media_type.replace('image/', '')}`;
    const path = `${realm}/emoji/images/${file_name}`;
    const { bytes } = await db.kysely
      .selectFrom('realm_emoji')
      .select('bytes')
      .where('realm_id', '=', realm)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await writeBytes(join(folder, 'emoji', path), one(bytes));
    const record = { realm_id: realm, file_name, name, author: author_id, path, s3_path: path };
    emojiRecords.push({ ...record, content_type: media_type, deactivated: !is_active });
  }
  await writeRecords(join(folder, 'emoji'), emojiRecords);
  const images = await db.kysely
    .selectFrom('realm_image')
    .select(['kind', 'bytes'])
    .where('realm_id', '=', realm)
    .orderBy('kind')
    .execute();
  const imageRecords: object[] = [];
  for (const { kind, bytes } of images) {
    if (!bytes) continue;
    const path = `${realm}/${kind}.original`;
    await writeBytes(join(folder, 'realm_icons', path), one(bytes));
    imageRecords.push({ realm_id: realm, path, s3_path: path, content_type: 'image/png' });
  }
  await writeRecords(join(folder, 'realm_icons'), imageRecords);
}

async function writeRecords(folder: string, records: readonly object[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeJson(join(folder, formFiles.records), async (file) => {
    await file.list(one(records));
  });
}
