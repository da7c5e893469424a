import { parsePublicKey } from '@bellhop/push-crypto';

/** Parses the public key of a bouncer. Throws a SyntaxError. */
export function parseBouncerKey(text: string): string {
  try {
    return parsePublicKey(text);
  } catch {
    throw new SyntaxError('write the public key of the bouncer, 44 characters of base64');
  }
}
