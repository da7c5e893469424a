import { hash } from 'node:crypto';

/**
 * A digest of fixed length, which timingSafeEqual needs; in hexadecimal, because Node returns a digest
 * as text three times as fast as in a buffer.
 */
export const tokenDigest = (token: string): Buffer =>
  Buffer.from(hash('sha256', token, 'hex'), 'latin1');

/** The digests of a bot's tokens. Throws if there is none, and says where to find one. */
export function tokenDigests(
  email: string,
  tokens: string | readonly string[] | undefined,
): readonly Buffer[] {
  const list = typeof tokens === 'string' ? [tokens] : (tokens ?? []);
  const trimmed = list.map((token) => token.trim());
  if (trimmed.length === 0 || trimmed.includes('')) {
    throw new TypeError(
      `createBot: no token for ${email}. Give the token of its outgoing webhook: the server ` +
        'shows it to the bot’s owner (`services[].token` of the bot in the `realm_bot` events), ' +
        'and the sandbox writes it to .bellhop/sandbox.json.',
    );
  }
  return trimmed.map(tokenDigest);
}
