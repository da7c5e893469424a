import { type QuotaName, quotaNames } from './quota-table.ts';

/** What an operator sets a quota to. Null: unlimited. Undefined: the default. */
export type QuotaSetting = readonly [QuotaName, number | null | undefined];

/** Throws a SyntaxError with the names that there are. */
export function requireQuotaName(written: string): QuotaName {
  const name = quotaNames.find((one) => one === written);
  if (name) return name;
  throw new SyntaxError(
    `${written || 'nothing'} is no quota: write one of ${quotaNames.join(', ')}`,
  );
}

/** `name=number`, `name=unlimited` or `name=default`. Throws a SyntaxError. */
export function parseQuota(text: string): QuotaSetting {
  const [written = '', ...values] = text.split('=').map((part) => part.trim());
  const name = requireQuotaName(written);
  const value = values.join('=');
  if (value === 'unlimited') return [name, null];
  if (value === 'default') return [name, undefined];
  const number = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number))
    throw new SyntaxError(`${name} must be a whole number, unlimited or default`);
  return [name, number];
}
