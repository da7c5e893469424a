import { ApiError, badRequest } from '@bellhop/protocol/contract';

import type { Exchange } from './exchange.ts';

export interface Credentials {
  readonly name: string;
  readonly secret: string;
}

/**
 * The user name and password of HTTP Basic authentication, trimmed. Undefined without the header.
 * Throws BAD_REQUEST for another scheme, UNAUTHORIZED for a malformed value.
 */
export function basicCredentials({ header }: Exchange): Credentials | undefined {
  const value = header('authorization');
  if (value === undefined) return undefined;
  const [, scheme, encoded] = /^(\S+)\s+(\S+)\s*$/.exec(value) ?? [];
  if (scheme === undefined || encoded === undefined)
    throw new ApiError('UNAUTHORIZED', { message: 'Invalid Authorization header for basic auth' });
  if (scheme.toLowerCase() !== 'basic')
    throw badRequest('This endpoint requires HTTP basic authentication.');
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1)
    throw new ApiError('UNAUTHORIZED', { message: 'Invalid Authorization header for basic auth' });
  return { name: text.slice(0, colon).trim(), secret: text.slice(colon + 1).trim() };
}
