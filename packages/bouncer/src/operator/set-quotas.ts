import { recordAction } from '../audit/audit-log.ts';
import type { QuotaSetting } from '../quotas/parse-quotas.ts';
import { type Operator, signatureOf } from './operator.ts';
import { findServer } from './servers.ts';

/** Changes quotas of a server. Returns its ID. Throws an OperatorError for an unknown server. */
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
  return server.server_uuid;
}
