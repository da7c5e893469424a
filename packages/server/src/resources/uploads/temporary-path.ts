import { timingSafeEqual } from 'node:crypto';

import { TEMPORARY_SECONDS } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { UploadRow } from './queries.ts';

type Signing = Pick<App, 'secrets' | 'now'>;

/** A prefix that no API key has: API keys are digested with the same key. */
const signed = ({ secrets }: Signing, id: number, expires: number) =>
  secrets.mac(`temporary upload ${id} ${expires}`);

/** An address of a file that works without a login for a minute, on every node. */
export function temporaryPath(app: Signing, { id, file_name }: UploadRow): string {
  const expires = app.now() + TEMPORARY_SECONDS;
  const mac = signed(app, id, expires).toString('base64url');
  return `/user_uploads/temporary/${id}.${expires}.${mac}/${file_name}`;
}

/** The id of the file at a temporary address; undefined if it has expired or is invalid. */
export function temporaryId(app: Signing, ticket: string): number | undefined {
  const [, id, expires, mac] = /^(\d{1,15})\.(\d{1,15})\.([\w-]{43})$/.exec(ticket) ?? [];
  if (id === undefined || expires === undefined || mac === undefined) return undefined;
  const given = Buffer.from(mac, 'base64url');
  const right = signed(app, Number(id), Number(expires));
  const isOurs = given.length === right.length && timingSafeEqual(given, right);
  return isOurs && Number(expires) > app.now() ? Number(id) : undefined;
}
