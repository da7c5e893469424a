import { type Kysely, type Selectable, sql } from 'kysely';

import type { BanTable, BouncerTables } from '../tables.ts';

type Db = Kysely<BouncerTables>;
export type Ban = Selectable<BanTable>;

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
        eb(eb.val(hostname.toLowerCase().replace(/:\d+$/, '')), 'like', eb.ref('host_like')),
      ]),
    )
    .executeTakeFirst();

/** The LIKE pattern for a host name in which `*` stands for any characters. */
export const likePatternOf = (host: string): string =>
  host.replace(/[\\%_]/g, (special) => `\\${special}`).replaceAll('*', '%');
