import { sha256 } from '@noble/hashes/sha2.js';

import { decodeBase64, encodeBase64 } from './base64.ts';
import { BadEncoding } from './errors.ts';

const TOKEN_ID_BYTES = 8;

/**
 * Names a device token for chat servers, which never see it: base64 of the first 8 bytes of the SHA-256
 * of its text, exactly as the phone has it. The same hexadecimal digits in other letters have another
 * ID.
 */
export const tokenId = (token: string): string =>
  encodeBase64(sha256(new TextEncoder().encode(token)).subarray(0, TOKEN_ID_BYTES));

/** The 8 bytes of a token ID. Throws `BadEncoding`. */
export function parseTokenId(text: string): Uint8Array {
  const bytes = decodeBase64(text);
  if (bytes.length !== TOKEN_ID_BYTES)
    throw new BadEncoding(`A token ID has ${TOKEN_ID_BYTES} bytes, this one has ${bytes.length}`);
  return bytes;
}
