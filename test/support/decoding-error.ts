import { ApiError, decodeParams, type Endpoint, pathVariables } from '@bellhop/protocol';
import type { Sample } from '@bellhop/server/contract-fixtures';

/**
 * The error with which the decoder of the server refuses these parameters, before it looks anything
 * up. Undefined if it decodes them. Throws any other error, which the server would answer with 500.
 */
export function decodingError(endpoint: Endpoint, sample: Sample): ApiError | undefined {
  const inPath = new Set(pathVariables(endpoint.route));
  const given = Object.entries(sample);
  try {
    decodeParams(endpoint, {
      path: Object.fromEntries(given.filter(([field]) => inPath.has(field))),
      fields: Object.fromEntries(given.filter(([field]) => !inPath.has(field))),
    });
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
