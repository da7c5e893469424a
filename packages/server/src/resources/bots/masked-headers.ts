import type { IncomingHttpHeaders } from 'node:http';

import { MASK, redact } from './webhook-result.ts';

/** Headers whose values are secrets: whoever reads a signature could send the payload once more. */
const SECRET =
  /^(authorization|cookie|proxy-authorization|set-cookie|webhook-signature|x-api-key)$/;

/** Headers to be stored and shown: without secrets and control characters. */
export const maskedHeaders = (
  headers: IncomingHttpHeaders,
  token: string,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined) return [];
      if (SECRET.test(name)) return [[name, MASK]];
      return [[name, redact(Buffer.from(String(value)), [token])]];
    }),
  );
