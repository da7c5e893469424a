import { type QuotaName, quotaNames } from './quota-table.ts';

/** `name=number`, `name=unlimited` or `name=default`; undefined stands for the default. Throws a SyntaxError. */
export function parseQuota(text: string): readonly [QuotaName, number | null | undefined] {
  const [written = '', value = ''] = text.trim().split('=');
  const name = quotaNames.find((one) => one === written.trim());
  if (!name)
    throw new SyntaxError(
      `${written || 'nothing'} is no quota: write one of ${quotaNames.join(', ')}`,
    );
  if (value === 'unlimited') return [name, null];
  if (value === 'default') return [name, undefined];
  const number = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number))
    throw new SyntaxError(`${name} must be a whole number, unlimited or default`);
  return [name, number];
}
