import type { IncomingHttpHeaders } from 'node:http';

import { ApiError, badRequest, declaredCharset, isUtf8Name } from '@bellhop/protocol/contract';

/** The body of a request is compressed. The answer has the header `Accept-Encoding` (RFC 9110, 12.5.3). */
export class CompressedBody extends ApiError {}

/** An error about a body that was not read, with what the client has to change. */
export const unread = (why: string, instead: string): ApiError =>
  new ApiError('BAD_REQUEST', notRead(why, instead));

const notRead = (why: string, instead: string) => ({
  status: 415,
  message: `The body of the request was not read: ${why}. ${instead}`,
});

/** Throws an error with the status 415 for a body that is compressed or in another charset than UTF-8. */
export function requirePlainBody(headers: IncomingHttpHeaders): void {
  for (const name of ['content-encoding', 'transfer-encoding'] as const) {
    const encoding = headers[name];
    if (encoding === undefined) continue;
    const codings = encoding.split(',').map((coding) => coding.trim().toLowerCase());
    if (codings.some((coding) => !PLAIN.has(coding))) {
      const why = `it is compressed (${name}: ${shown(encoding)})`;
      throw new CompressedBody('BAD_REQUEST', notRead(why, 'Send it as it is.'));
    }
  }
  requireUtf8(headers['content-type']);
}

/** Chunks are what the parser of Node undoes. */
const PLAIN: ReadonlySet<string> = new Set(['', 'identity', 'chunked']);

/** Throws an error with the status 415 for a Content-Type that declares another charset than UTF-8. */
export function requireUtf8(contentType = ''): void {
  const charset = declaredCharset(contentType);
  if (!isUtf8Name(charset)) throw unread(`its charset is ${shown(charset)}`, 'Send text as UTF-8.');
}

/** What the sender has written, short. */
const shown = (sent: string) => sent.slice(0, 40);

export const notUtf8 = (): ApiError =>
  badRequest('The text of the request is not valid UTF-8: send it as UTF-8');
