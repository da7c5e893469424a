import type { Secrets } from '../../engine/secrets.ts';

/** Distinguishes these tokens from other values that are encrypted with the server's secret. */
const PREFIX = 'host proof';
/** The bouncer's secrets are valid for 10 seconds. */
const LIFETIME = 60;

/**
 * A token with which any node of this server can answer the bouncer: it holds the secret, encrypted.
 * `now`: UNIX seconds.
 */
export const hostProofToken = ({ seal }: Secrets, secret: string, now: number): string =>
  seal(JSON.stringify([PREFIX, now, secret])).toString('base64url');

/** The secret in a token; undefined if this server did not make the token, or long ago. */
export function hostProofSecret({ open }: Secrets, token: string, now: number): string | undefined {
  try {
    const [prefix, madeAt, secret] = JSON.parse(open(Buffer.from(token, 'base64url'))) as unknown[];
    const isValid = prefix === PREFIX && now - Number(madeAt) <= LIFETIME;
    return isValid ? String(secret) : undefined;
  } catch {
    return undefined;
  }
}
