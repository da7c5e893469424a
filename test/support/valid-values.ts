import { decodeParams, type Endpoint, pathVariables } from '@bellhop/protocol';
import type { Sample } from '@bellhop/server/contract-fixtures';

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
  const inPath = new Set(pathVariables(endpoint.route));
  const isValid = (value: string): boolean => {
    const given = Object.entries({ ...sample, [name]: value });
    try {
      decodeParams(endpoint, {
        path: Object.fromEntries(given.filter(([field]) => inPath.has(field))),
        fields: Object.fromEntries(given.filter(([field]) => !inPath.has(field))),
      });
      return true;
    } catch {
      return false;
    }
  };
  const refused = values.find((value) => !isValid(value));
  return [...values.filter(isValid), ...(refused === undefined ? [] : [refused])];
}
