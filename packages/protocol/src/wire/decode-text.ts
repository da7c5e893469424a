import { declaredCharset, isUtf8Name } from './content-type.ts';

export interface DecodedText {
  /** The decoded body; bytes that are not valid in the charset have become U+FFFD. */
  readonly text: string;
  /** Why the text is not exact, as the rest of a sentence that begins with "the answer"; undefined if it is. */
  readonly fault?: string;
}

/** The byte order marks; that of UTF-32 begins as that of UTF-16 does. */
const MARKS = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-32', [0xff, 0xfe, 0, 0]],
  ['utf-32', [0, 0, 0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
] as const;

/** A byte order mark says more than the header; without either, text is UTF-8. */
function charsetOf(bytes: Uint8Array, contentType: string): string {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked) return marked[0];
  const charset = declaredCharset(contentType).toLowerCase();
  return isUtf8Name(charset) ? 'utf-8' : charset;
}

const NOTHING: DecodedText = { text: '' };

/** Decodes the body of a response by the charset that its Content-Type declares. Never throws. */
export function decodeText(bytes: Uint8Array, contentType = ''): DecodedText {
  if (bytes.length === 0) return NOTHING;
  const charset = charsetOf(bytes, contentType);
  try {
    return { text: new TextDecoder(charset, { fatal: true }).decode(bytes) };
  } catch (error) {
    if (!(error instanceof RangeError)) {
      const fault = `is not valid ${charset.toUpperCase()}: send text as UTF-8`;
      return { text: new TextDecoder(charset).decode(bytes), fault };
    }
    const name = charset.replaceAll(/[^\w.:-]/g, '?').slice(0, 30);
    const fault = `has the charset ${name}, which is not known: send it as UTF-8`;
    return { text: new TextDecoder().decode(bytes), fault };
  }
}

/** The text of a response of `fetch`, whose `text()` takes every charset for UTF-8. */
export const decodeResponse = async (response: Response): Promise<DecodedText> =>
  decodeText(
    new Uint8Array(await response.arrayBuffer()),
    response.headers.get('content-type') ?? '',
  );
