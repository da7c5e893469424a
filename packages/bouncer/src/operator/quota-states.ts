import type { Kysely } from 'kysely';

import { usesOf } from '../quotas/queries.ts';
import { quotaNames, type RateName, rates, type StoredQuotas } from '../quotas/quota-table.ts';
import type { BouncerTables } from '../storage/tables.ts';

export interface QuotaState {
  readonly quota: string;
  /** The value that the operator has set for this server; `default` if there is none. */
  readonly value: number | 'unlimited' | 'default';
  /**
   * The uses in the current window, including those that nodes hold in advance. Null except for
   * rates of the server.
   */
  readonly used: number | null;
}

/** The quotas of a server, with the uses of those that count its calls. */
export async function quotaStates(
  db: Kysely<BouncerTables>,
  server: { readonly server_uuid: string; readonly quotas: StoredQuotas },
  nowMs: number,
): Promise<QuotaState[]> {
  const uses = await usesOf(db, [`server ${server.server_uuid}`]);
  return quotaNames.map((quota) => {
    const { [quota]: set } = server.quotas;
    const use = uses.find((one) => one.quota === quota);
    const isRate = Object.hasOwn(rates, quota);
    const isCounted = isRate && !/^(realm|device)_/.test(quota);
    const windowMs = isRate ? rates[quota as RateName].seconds * 1_000 : 0;
    const isCurrent = use !== undefined && use.window_start.getTime() + windowMs > nowMs;
    return {
      quota,
      value: set === undefined ? 'default' : (set ?? 'unlimited'),
      used: isCounted ? (isCurrent ? use.used : 0) : null,
    };
  });
}
