import { TextDecoder } from 'node:util';

export interface DecodedText {
  /** The decoded body; bytes that are not valid in the charset have become U+FFFD. */
  readonly text: string;
  /** Why the text is not exact, as the rest of a sentence that begins with "the answer"; undefined if it is. */
  readonly fault?: string;
}

/** A byte order mark says more than the header; without either, text is UTF-8. */
function charsetOf(bytes: Uint8Array, contentType: string): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const [, quoted, bare] = /;\s*charset\s*=\s*(?:"([^"]*)"|([^\s;]*))/i.exec(contentType) ?? [];
  const charset = (quoted ?? bare ?? '').trim().toLowerCase();
  return ['', 'us-ascii', 'ascii'].includes(charset) ? 'utf-8' : charset;
}

/** Decodes the body of a response by the charset that its Content-Type declares. Never throws. */
export function decodeText(bytes: Uint8Array, contentType = ''): DecodedText {
  const charset = charsetOf(bytes, contentType);
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(charset, { fatal: true });
  } catch {
    const name = charset.replaceAll(/[^\w.:-]/g, '?').slice(0, 30);
    const fault = `has the charset ${name}, which the server does not know: send it as UTF-8`;
    return { text: new TextDecoder().decode(bytes), fault };
  }
  try {
    return { text: decoder.decode(bytes) };
  } catch {
    const fault = `is not valid ${charset.toUpperCase()}: send text as UTF-8`;
    return { text: new TextDecoder(charset).decode(bytes), fault };
  }
}
