import type { Kysely } from 'kysely';
import { z } from 'zod';

import { recordAction } from '../audit/audit-log.ts';
import { type Ban, hostPattern, likePatternOf } from '../servers/bans.ts';
import type { BouncerTables } from '../storage/tables.ts';
import { type Operator, OperatorError, signatureOf } from './operator.ts';
import { listServers } from './servers.ts';

const Uuid = z.uuid();

/**
 * Bans a server by its ID, or servers by their host name, in which `*` stands for any characters.
 * Returns the host names of the registered servers that the ban affects. Throws an OperatorError
 * for an invalid pattern.
 */
export async function ban(
  operator: Operator,
  subject: string,
  reason: string,
): Promise<readonly string[]> {
  const isUuid = Uuid.safeParse(subject).success;
  const written = isUuid ? subject.toLowerCase() : hostPattern(subject);
  if (written === undefined)
    throw new OperatorError(
      `"${subject}" is neither the ID of a chat server nor a host name, without a port, such as *.example.com.`,
    );
  const signature = signatureOf(operator);
  return operator.database.transaction(async (tx) => {
    const before = new Set((await bannedServers(tx)).map(({ server_uuid }) => server_uuid));
    await tx
      .insertInto('ban')
      .values({
        subject: written,
        host_like: isUuid ? null : likePatternOf(written),
        reason,
        created_at: signature.at,
      })
      .onConflict((conflict) => conflict.column('subject').doUpdateSet({ reason }))
      .execute();
    await recordAction(tx, {
      ...signature,
      action: 'server_banned',
      ...(isUuid ? { serverUuid: written } : {}),
      detail: { subject: written, reason },
    });
    const met = (await bannedServers(tx)).filter(({ server_uuid }) => !before.has(server_uuid));
    return met.map(({ hostname }) => hostname);
  });
}

const bannedServers = async (db: Parameters<typeof listServers>[0]) =>
  (await listServers(db)).filter(({ state }) => state === 'banned');

/** The bans, the newest first. */
export const listBans = (
  db: Kysely<BouncerTables>,
): Promise<Pick<Ban, 'subject' | 'reason' | 'created_at'>[]> =>
  db
    .selectFrom('ban')
    .select(['subject', 'reason', 'created_at'])
    .orderBy('created_at', 'desc')
    .execute();

/** Ends a ban. Throws an OperatorError if there is no ban with this subject. */
export async function unban(operator: Operator, subject: string): Promise<void> {
  const written = hostPattern(subject) ?? subject.toLowerCase();
  await operator.database.transaction(async (tx) => {
    const ended = await tx
      .deleteFrom('ban')
      .where('subject', '=', written)
      .returning('host_like')
      .executeTakeFirst();
    if (!ended) throw new OperatorError(`"${subject}" is not banned.`);
    await recordAction(tx, {
      ...signatureOf(operator),
      action: 'server_unbanned',
      ...(ended.host_like === null ? { serverUuid: written } : {}),
      detail: { subject: written },
    });
  });
}
