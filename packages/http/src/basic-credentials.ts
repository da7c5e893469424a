import { isUtf8 } from 'node:buffer';

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
  if (scheme === undefined || encoded === undefined) throw malformed();
  if (scheme.toLowerCase() !== 'basic')
    throw badRequest('This endpoint requires HTTP basic authentication.');
  const bytes = Buffer.from(encoded, 'base64');
  if (!isUtf8(bytes))
    throw malformed('The credentials for basic auth are not valid UTF-8: send them as UTF-8');
  const text = bytes.toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) throw malformed();
  return { name: text.slice(0, colon).trim(), secret: text.slice(colon + 1).trim() };
}

const malformed = (message = 'Invalid Authorization header for basic auth') =>
  new ApiError('UNAUTHORIZED', { message });
