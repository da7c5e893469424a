import type { Kysely } from 'kysely';

import { usesOf } from '../quotas/queries.ts';
import {
  type QuotaName,
  quotaNames,
  type Quotas,
  type RateName,
  rates,
  type StoredQuotas,
} from '../quotas/quota-table.ts';
import type { BouncerTables } from '../storage/tables.ts';

export interface QuotaState {
  readonly quota: string;
  /** The value that the operator has set for this server; `default` if there is none. */
  readonly value: number | 'unlimited' | 'default';
  /** What is in force. Null: unlimited. */
  readonly limit: number | null;
  /**
   * The uses in the current window. Of a busy server also what nodes need for the next seconds, at most 2 %
   * of the limit for each node. Null except for rates of the server.
   */
  readonly used: number | null;
}

type SetValue = QuotaState['value'];

/** What the operator has set each quota to. */
export const setValues = (quotas: StoredQuotas): Record<QuotaName, SetValue> =>
  Object.fromEntries(
    quotaNames.map((quota) => {
      const { [quota]: set } = quotas;
      return [quota, set === undefined ? 'default' : (set ?? 'unlimited')];
    }),
  ) as Record<QuotaName, SetValue>;

interface StateOptions {
  /** What is in force for the server. */
  readonly limits: Quotas;
  readonly nowMs: number;
}

/** The quotas of a server, with the uses of those that count its calls. */
export async function quotaStates(
  db: Kysely<BouncerTables>,
  server: { readonly server_uuid: string; readonly quotas: StoredQuotas },
  { limits, nowMs }: StateOptions,
): Promise<QuotaState[]> {
  const uses = await usesOf(db, [`server ${server.server_uuid}`]);
  const values = setValues(server.quotas);
  return quotaNames.map((quota) => {
    const use = uses.find((one) => one.quota === quota);
    const isRate = Object.hasOwn(rates, quota);
    const isCounted = isRate && !/^(realm|device)_/.test(quota);
    const windowMs = isRate ? rates[quota as RateName].seconds * 1_000 : 0;
    const isCurrent = use !== undefined && use.window_start.getTime() + windowMs > nowMs;
    return {
      quota,
      value: values[quota],
      limit: Number.isFinite(limits[quota]) ? limits[quota] : null,
      used: isCounted ? (isCurrent ? use.used : 0) : null,
    };
  });
}
