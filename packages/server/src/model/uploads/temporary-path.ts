import { timingSafeEqual } from 'node:crypto';

import { TEMPORARY_SECONDS } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { UploadRow } from './queries.ts';

type SigningApp = Pick<App, 'secrets' | 'now'>;

/** The signature of a temporary address. API keys are digested with the same secret, but none has this prefix. */
const signatureOf = ({ secrets }: SigningApp, id: number, expires: number) =>
  secrets.mac(`temporary upload ${id} ${expires}`);

/** An address of a file that works without a login for a minute, on every node. */
export function temporaryPath(app: SigningApp, { id, file_name }: UploadRow): string {
  const expires = app.now() + TEMPORARY_SECONDS;
  const mac = signatureOf(app, id, expires).toString('base64url');
  return `/user_uploads/temporary/${id}.${expires}.${mac}/${file_name}`;
}

/** The id of the file at a temporary address; undefined if it has expired or is invalid. */
export function temporaryId(app: SigningApp, ticket: string): number | undefined {
  const [, id, expires, mac] = /^(\d{1,15})\.(\d{1,15})\.([\w-]{43})$/.exec(ticket) ?? [];
  if (id === undefined || expires === undefined || mac === undefined) return undefined;
  const actual = Buffer.from(mac, 'base64url');
  const expected = signatureOf(app, Number(id), Number(expires));
  const isGenuine = actual.length === expected.length && timingSafeEqual(actual, expected);
  return isGenuine && Number(expires) > app.now() ? Number(id) : undefined;
}
