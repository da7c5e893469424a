import type { IncomingHttpHeaders } from 'node:http';

import { ApiError, badRequest } from '@bellhop/protocol/contract';

/** An error about a body that was not read, with what the client has to change. */
export const unread = (why: string, instead: string): ApiError =>
  new ApiError('BAD_REQUEST', {
    status: 415,
    message: `The body of the request was not read: ${why}. ${instead}`,
  });

/** The media type of a Content-Type in lower case, without its parameters; empty without one. */
export const mediaType = (contentType = ''): string =>
  (contentType.split(';')[0] ?? '').trim().toLowerCase();

/** Throws an error with the status 415 for a body that is compressed or in another charset than UTF-8. */
export function requirePlainBody({
  'content-encoding': encoding = '',
  'content-type': type,
}: IncomingHttpHeaders): void {
  const codings = encoding.split(',').map((coding) => coding.trim().toLowerCase());
  if (codings.some((coding) => coding !== '' && coding !== 'identity'))
    throw unread(`it is compressed (content-encoding: ${encoding})`, 'Send it as it is.');
  requireUtf8(type);
}

/** Throws an error with the status 415 for a Content-Type that declares another charset than UTF-8. */
export function requireUtf8(contentType = ''): void {
  const [, quoted, bare] = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]*))/i.exec(contentType) ?? [];
  const charset = (quoted ?? bare ?? '').trim();
  if (!/^(|utf-?8|us-ascii|ascii)$/i.test(charset))
    throw unread(`its charset is ${charset}`, 'Send text as UTF-8.');
}

export const notUtf8 = (): ApiError =>
  badRequest('The text of the request is not valid UTF-8: send it as UTF-8');
