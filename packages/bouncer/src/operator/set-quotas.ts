import { recordAction } from '../audit/audit-log.ts';
import type { QuotaName } from '../quotas/quota-table.ts';
import { type Operator, signatureOf } from './operator.ts';
import { findServer } from './servers.ts';

/** Null: unlimited. Undefined: the default. */
export type QuotaSetting = readonly [QuotaName, number | null | undefined];

/** Changes quotas of a server. Returns its host name. Throws an OperatorError for an unknown server. */
export async function setQuotas(
  operator: Operator,
  subject: string,
  settings: readonly QuotaSetting[],
): Promise<string> {
  const server = await findServer(operator.database.kysely, subject);
  await operator.database.transaction(async (tx) => {
    const { quotas } = await tx
      .selectFrom('remote_server')
      .select('quotas')
      .where('server_uuid', '=', server.server_uuid)
      .forUpdate()
      .executeTakeFirstOrThrow();
    // JSON omits undefined values.
    const changed: Readonly<Record<string, number | null | undefined>> = {
      ...quotas,
      ...Object.fromEntries(settings),
    };
    await tx
      .updateTable('remote_server')
      .set({ quotas: JSON.stringify(changed) })
      .where('server_uuid', '=', server.server_uuid)
      .execute();
    const written = settings.map(([name, value]) => [
      name,
      value === undefined ? 'default' : (value ?? 'unlimited'),
    ]);
    await recordAction(tx, {
      ...signatureOf(operator),
      action: 'quota_set',
      serverUuid: server.server_uuid,
      detail: Object.fromEntries(written),
    });
  });
  return server.hostname;
}
