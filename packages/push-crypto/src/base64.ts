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
 * Decodes base64. Only one text is accepted for given bytes: throws `BadEncoding` for white space,
 * other alphabets, wrong padding and nonzero bits under the padding.
 */
export function decodeBase64(text: string): Uint8Array {
  if (text.length % 4 !== 0)
    throw new BadEncoding('Invalid base64: the length is not a multiple of 4');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  const digits = text.length - padding;
  let bits = 0;
  let bitCount = 0;
  let at = 0;
  for (let index = 0; index < digits; index++) {
    const value = values.get(text.charCodeAt(index));
    if (value === undefined) {
      throw new BadEncoding(
        `Invalid base64: character ${index + 1} is not in the standard alphabet`,
      );
    }
    bits = (bits << 6) | value;
    bitCount += 6;
    if (bitCount >= 8) {
      bitCount -= 8;
      bytes[at++] = bits >> bitCount;
      bits &= (1 << bitCount) - 1;
    }
  }
  if (bits !== 0) throw new BadEncoding('Invalid base64: the bits under the padding are not zero');
  return bytes;
}
