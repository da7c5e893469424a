import type { Endpoint } from '@bellhop/protocol';
import type { Sample } from '@bellhop/server/contract-fixtures';

import { decodingError } from './decoding-error.ts';

/**
 * The values that the server decodes as the parameter `name` of a request, and the first of the
 * others, which it all refuses before it looks anything up.
 */
export function validValues(
  endpoint: Endpoint,
  sample: Sample,
  name: string,
  values: readonly string[],
): string[] {
  const isValid = (value: string) =>
    decodingError(endpoint, { ...sample, [name]: value }) === undefined;
  const { true: valid = [], false: refused = [] } = Object.groupBy(values, (value) =>
    isValid(value) ? 'true' : 'false',
  );
  return [...valid, ...refused.slice(0, 1)];
}
