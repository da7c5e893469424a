import { z } from 'zod';

import { parseQuota } from '../quotas/parse-quotas.ts';
import {
  changedQuotas,
  defaultQuotas,
  type QuotaChanges,
  type Quotas,
} from '../quotas/quota-table.ts';
import { wholeNumber } from '../settings/schemas.ts';
import type { VariableReader } from '../settings/variable-reader.ts';

const QuotaList = z.string().transform((text, context): QuotaChanges => {
  try {
    const parsed = text.split(',').map(parseQuota);
    const twice = parsed.find(([name], at) => parsed.findIndex(([one]) => one === name) !== at);
    if (twice) throw new SyntaxError(`${twice[0]} is given twice`);
    return Object.fromEntries(parsed.filter(([, value]) => value !== undefined));
  } catch (error) {
    context.addIssue(error instanceof Error ? error.message : String(error));
    return z.NEVER;
  }
});

/** The quotas of BELLHOP_BOUNCER_QUOTAS. BELLHOP_BOUNCER_RATE_LIMIT is the quota `requests`. */
export function readQuotas(reader: VariableReader): Quotas {
  const requests = reader.parse('BELLHOP_BOUNCER_RATE_LIMIT', wholeNumber(1));
  const changes = reader.parse('BELLHOP_BOUNCER_QUOTAS', QuotaList) ?? {};
  if (requests !== undefined && changes.requests_per_minute !== undefined)
    reader.report([
      'BELLHOP_BOUNCER_RATE_LIMIT has no effect beside requests_per_minute in BELLHOP_BOUNCER_QUOTAS: keep one of them',
    ]);
  return changedQuotas(defaultQuotas, {
    ...(requests === undefined ? {} : { requests_per_minute: requests }),
    ...changes,
  });
}
