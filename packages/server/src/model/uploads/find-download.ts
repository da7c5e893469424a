import type { Download, Exchange } from '@bellhop/http';
import { api, ApiError, type Endpoint, unstorableText } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Db } from '../../engine/call.ts';
import type { Caller, User } from '../../engine/caller.ts';
import { userOrSpectator } from '../../engine/spectator.ts';
import { servedAs } from './media-types.ts';
import * as queries from './queries.ts';
import type { UploadRow } from './queries.ts';
import { readUpload } from './read-upload.ts';
import { temporaryId } from './temporary-path.ts';
import * as thumbnails from './thumbnail-queries.ts';

interface UploadAddress {
  readonly realm_id: string;
  readonly token: string;
  readonly filename: string;
}

const noSuchFile = () =>
  new ApiError('NOT_FOUND', { message: 'This file does not exist, or is not for you.' });

/** The file at an address. Throws NOT_FOUND unless the user may download it. */
export async function visibleUpload(
  db: Db,
  user: User,
  { realm_id, token, filename }: UploadAddress,
): Promise<UploadRow> {
  const isHere = realm_id === String(user.realm_id);
  const row = isHere ? await queries.visible(db, user, { token, file_name: filename }) : undefined;
  if (!row) throw noSuchFile();
  return row;
}

type Admit = (endpoint: Endpoint, exchange: Exchange) => Promise<Caller>;

/**
 * Finds the file of a request below /user_uploads/: by a temporary address without a login, by its own
 * address with the API's login or as a spectator.
 */
export const findDownload =
  (app: App, admit: Admit) =>
  async (exchange: Exchange): Promise<Download> => {
    const [, , ...parts] = decoded(exchange.path).split('/');
    if (parts[0] === 'thumbnail') return findThumbnail(app, admit, exchange, parts.slice(1));
    const [first = '', token = '', filename = '', ...more] = parts;
    if (more.length > 0) throw noSuchFile();
    const db = app.db.kysely;
    if (first === 'temporary') return download(app, await behindTicket(app, exchange, token));
    const user = userOrSpectator(await admit(api.uploads.temporaryUrl, exchange));
    return download(app, await visibleUpload(db, user, { realm_id: first, token, filename }));
  };

/** The thumbnail of a file that the user may download, at `<path of the file>/<format>`. */
async function findThumbnail(
  { db }: App,
  admit: Admit,
  exchange: Exchange,
  [realm_id = '', token = '', filename = '', format = '', ...more]: readonly string[],
): Promise<Download> {
  const user = userOrSpectator(await admit(api.uploads.temporaryUrl, exchange));
  if (more.length > 0) throw noSuchFile();
  const row = await visibleUpload(db.kysely, user, { realm_id, token, filename });
  const bytes = await thumbnails.find(db.kysely, row, format);
  if (!bytes) throw noSuchFile();
  return {
    name: format,
    type: 'image/webp',
    isShown: true,
    size: bytes.length,
    tag: `${row.token}-${format}`,
    read: async function* read(from, to) {
      yield bytes.subarray(from, to);
    },
  };
}

/** Throws NOT_FOUND for a path that is malformed or holds a null byte, which PostgreSQL cannot take. */
function decoded(path: string): string {
  let text: string;
  try {
    text = decodeURIComponent(path);
  } catch {
    throw noSuchFile();
  }
  if (unstorableText(text)) throw noSuchFile();
  return text;
}

/** The file at a temporary address. Guesses count towards the limit of the client's address. */
async function behindTicket(app: App, exchange: Exchange, ticket: string): Promise<UploadRow> {
  const lookUp = app.addressLimit.lookUpFor(exchange);
  const realm = await app.realms.atHost(exchange.host, lookUp);
  if (!realm.is_active) throw new ApiError('REALM_DEACTIVATED');
  const row = await lookUp(async () => {
    const id = temporaryId(app, ticket);
    return id === undefined ? undefined : queries.byId(app.db.kysely, realm.id, id);
  });
  if (!row) throw noSuchFile();
  return row;
}

const download = (app: App, row: UploadRow): Download => ({
  ...servedAs(row.type),
  name: row.name,
  size: row.size,
  tag: row.token,
  read: (from, to) => readUpload(app, row, from, to),
});
