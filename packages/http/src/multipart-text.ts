import { isUtf8 } from 'node:buffer';

import { headerParameter } from '@bellhop/protocol/contract';

import { notUtf8, requireUtf8, unread } from './declared-body.ts';

const BLANK_LINE = '\r\n\r\n';

/**
 * Throws for a multipart form whose names or text are not UTF-8, or that declares another charset or a
 * transfer encoding: the parser would read them as UTF-8.
 */
export function requirePlainParts(body: Buffer, contentType: string): void {
  const delimiter = `--${headerParameter(contentType, 'boundary') ?? ''}`;
  for (let at = body.indexOf(delimiter); at !== -1;) {
    const start = at + delimiter.length;
    at = body.indexOf(delimiter, start);
    if (at !== -1) requirePlainPart(body.subarray(start, at));
  }
}

function requirePlainPart(part: Buffer): void {
  const end = part.indexOf(BLANK_LINE);
  if (end === -1) return;
  const headers = part.subarray(0, end);
  if (!isUtf8(headers)) throw notUtf8();
  const head = headers.toString();
  requireNoTransferEncoding(/^content-transfer-encoding:(.*)$/im.exec(head)?.[1]);
  const [, disposition = ''] = /^content-disposition:(.*)$/im.exec(head) ?? [];
  if (headerParameter(disposition, 'filename') !== undefined) return;
  for (const [, type] of head.matchAll(/^content-type:(.*)$/gim)) requireUtf8(type);
  const content = part.subarray(end + BLANK_LINE.length);
  // The field by which a form names its charset (RFC 7578, section 4.6).
  if (headerParameter(disposition, 'name') === '_charset_')
    requireUtf8(`;charset=${content.toString().trim()}`);
  if (!isUtf8(content)) throw notUtf8();
}

/** Throws an error with the status 415 for a part of a form in base64 or quoted-printable. */
export function requireNoTransferEncoding(encoding = ''): void {
  if (!/^(|7bit|8bit|binary)$/i.test(encoding.trim()))
    throw unread(
      `a part has the content-transfer-encoding ${encoding.trim()}`,
      'Send the parts of a form as they are.',
    );
}
