import { BadEncoding } from './errors.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const values = new Map(Array.from(alphabet, (char, value) => [char.charCodeAt(0), value]));

/** Base64 in the standard alphabet of RFC 4648 section 4, with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at;
    const group =
      ((bytes[at] ?? 0) << 16) |
      ((bytes[at + 1] ?? 0) << 8) |
      (left > 2 ? (bytes[at + 2] ?? 0) : 0);
    parts.push(
      alphabet.charAt(group >> 18) + alphabet.charAt((group >> 12) & 63),
      left > 1 ? alphabet.charAt((group >> 6) & 63) : '=',
      left > 2 ? alphabet.charAt(group & 63) : '=',
    );
  }
  return parts.join('');
}

/**
 * The bytes of base64 text. Strict, so that equal bytes always have equal text: white space, other
 * alphabets, missing or surplus padding and stray bits under the padding are `BadEncoding`.
 */
export function decodeBase64(text: string): Uint8Array {
  if (text.length % 4 !== 0) throw new BadEncoding('Not base64: the length is no multiple of 4');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  const digits = text.length - padding;
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let index = 0; index < digits; index++) {
    const value = values.get(text.charCodeAt(index));
    if (value === undefined) {
      throw new BadEncoding(`Not base64 of the standard alphabet: see character ${index + 1}`);
    }
    bits = (bits << 6) | value;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes[at++] = bits >> held;
      bits &= (1 << held) - 1;
    }
  }
  if (bits !== 0) throw new BadEncoding('Not base64: there are stray bits under the padding');
  return bytes;
}
