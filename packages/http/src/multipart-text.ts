import { isUtf8 } from 'node:buffer';

import { notUtf8, requireUtf8, unread } from './declared-body.ts';

const BLANK_LINE = '\r\n\r\n';

/**
 * Throws for a multipart form whose names or text are not UTF-8, or that declares another charset or a
 * transfer encoding: the parser would read them as UTF-8.
 */
export function requirePlainParts(body: Buffer, contentType: string): void {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  const delimiter = `--${quoted ?? bare}`;
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
  if (/;\s*filename\*?\s*=/i.test(head)) return;
  requireUtf8(/^content-type:(.*)$/im.exec(head)?.[1]);
  const content = part.subarray(end + BLANK_LINE.length);
  // The field by which a form names its charset (RFC 7578, section 4.6).
  if (/;\s*name="?_charset_"?/i.test(head)) requireUtf8(`;charset=${content.toString().trim()}`);
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
