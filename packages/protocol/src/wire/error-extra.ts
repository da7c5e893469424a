import { z } from 'zod';

import { type ErrorCode, errors } from './errors.ts';
import { GroupObjection } from './group-objection.ts';

/** The schema of the keys that an error has beside `result`, `msg` and `code`; undefined without any. */
export function errorExtra(code: ErrorCode): z.ZodObject | undefined {
  const entry = errors[code];
  return 'extra' in entry ? z.object(entry.extra(z, { GroupObjection })) : undefined;
}
