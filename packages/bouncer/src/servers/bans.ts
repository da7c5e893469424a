import { normalHost } from '@bellhop/protocol/bouncer';
import { type Kysely, type Selectable, sql } from 'kysely';

import type { BanTable, BouncerTables } from '../storage/tables.ts';

type Db = Kysely<BouncerTables>;
export type Ban = Selectable<BanTable>;

const WITHOUT_PORT = /:\d+$/;

/** Whether a ban meets a row of `remote_server`. A port does not count. */
export const isBanned = sql<boolean>`exists (select from ban
  where subject = remote_server.server_uuid::text
    or regexp_replace(lower(remote_server.hostname), ':[0-9]+$', '') like host_like)`;

/** The ban that a server with this ID and host name would meet. */
export const banOf = (
  db: Db,
  { serverUuid, hostname }: { readonly serverUuid: string; readonly hostname: string },
): Promise<Ban | undefined> =>
  db
    .selectFrom('ban')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('subject', '=', serverUuid.toLowerCase()),
        eb(eb.val(hostname.replace(WITHOUT_PORT, '')), 'like', eb.ref('host_like')),
      ]),
    )
    .executeTakeFirst();

/** Replaces `*` while a pattern is brought to the one form of host names, which has no `*`. */
const ANY = 'x-any-x';

/**
 * The one form of a host name without a port, in which `*` stands for any characters. Undefined if it is
 * none, or if it names no letter or digit, and would meet all.
 */
export function hostPattern(text: string): string | undefined {
  if (text.toLowerCase().includes(ANY) || !/[\p{L}\p{N}]/u.test(text)) return undefined;
  const host = normalHost(text.replaceAll('*', ANY));
  if (host === undefined || WITHOUT_PORT.test(host) || host.startsWith('[')) return undefined;
  // A part of a label has no punycode.
  const isCut = host.split('.').some((label) => label.startsWith('xn--') && label.includes(ANY));
  return isCut ? undefined : host.replaceAll(ANY, '*');
}

/** The LIKE pattern for a host name in which `*` stands for any characters. */
export const likePatternOf = (host: string): string =>
  host.replace(/[\\%_]/g, (special) => `\\${special}`).replaceAll('*', '%');
