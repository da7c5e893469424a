import { isUtf8 } from 'node:buffer';

import { declaredCharset, isUtf8Name } from '@bellhop/protocol/plain';

import type { RefusalReason } from './hooks.ts';

/** The body of a delivery as an adapter hands it over, with what its headers say of it. */
export interface SentBody {
  /** The raw body, or the text that the application has made of it; undefined if it has parsed it. */
  readonly text: string | Uint8Array | undefined;
  /** The body as the application has parsed it. */
  readonly parsed?: unknown;
  /**
   * What the application has undone by the headers, as the body parsers of Express do: the
   * content-encoding (`bytes`), or the charset too (`text`).
   */
  readonly decoded?: 'bytes' | 'text';
  readonly contentType: string | undefined;
  readonly contentEncoding?: string | undefined;
}

/** A body that cannot be read as it was sent. */
export interface UnreadBody {
  readonly status: 400 | 415;
  readonly reason: RefusalReason;
  /** What was not read, and what the sender has to change. */
  readonly message: string;
}

/** The text of a body, undefined if the application has parsed it; or why it is not read. */
export function bodyText(body: SentBody): string | undefined | UnreadBody {
  const { text, decoded, contentType, contentEncoding } = body;
  if (decoded === undefined && contentEncoding !== undefined && !isPlain(contentEncoding))
    return unread(
      'body_compressed',
      `it is compressed (content-encoding: ${shown(contentEncoding)}). Send it as it is.`,
    );
  const charset = decoded === 'text' ? '' : declaredCharset(contentType);
  if (!isUtf8Name(charset))
    return unread('body_charset', `its charset is ${shown(charset)}. Send it as UTF-8.`);
  if (text === undefined || typeof text === 'string') return text;
  const bytes = Buffer.isBuffer(text)
    ? text
    : Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  const read = bytes.toString();
  // Decoding has put this character for bytes that are not valid, and few bodies have it.
  return read.includes('\ufffd') && !isUtf8(text) ? notUtf8() : read;
}

/** The fields of a URL-encoded form; or why they are not read. */
export function formFields(text: string): Readonly<Record<string, string>> | UnreadBody {
  const form = withoutMark(text);
  if (!isPercentEncodedUtf8(form)) return notUtf8();
  return Object.fromEntries(new URLSearchParams(form));
}

/** Whether this is why a body is not read. No field of a form is a number. */
export const isUnread = (read: unknown): read is UnreadBody =>
  typeof read === 'object' && read !== null && 'status' in read && typeof read.status === 'number';

/** Drops a byte order mark. A signature covers it, so it belongs to the text. */
export const withoutMark = (text: string): string =>
  text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;

const unread = (reason: RefusalReason, why: string): UnreadBody => ({
  status: reason === 'body_not_utf8' ? 400 : 415,
  reason,
  message: `The body was not read: ${why}`,
});

const notUtf8 = () => unread('body_not_utf8', 'it is not valid UTF-8. Send it as UTF-8.');

/** What the sender has written, short and without characters that do not belong there. */
const shown = (sent: string) => sent.replaceAll(/[^\w.,:+ -]/g, '?').slice(0, 40);

const isPlain = (contentEncoding: string): boolean =>
  contentEncoding.split(',').every((coding) => /^\s*(identity)?\s*$/i.test(coding));

function isPercentEncodedUtf8(text: string): boolean {
  if (!text.includes('%')) return true;
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    // A % that encodes nothing stays as it is.
    const bytes = Buffer.from(text).toString('latin1');
    const decoded = bytes.replaceAll(/%([\da-f]{2})/gi, (_all, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return isUtf8(Buffer.from(decoded, 'latin1'));
  }
}
