import { hash } from 'node:crypto';

/**
 * A token as a fixed-length digest, to be compared in constant time. In hexadecimal: Node hashes to
 * text three times as fast as to bytes.
 */
export function tokenDigest(token: string): Buffer {
  return Buffer.from(hash('sha256', token, 'hex'), 'latin1');
}

/** The digests of a bot's live tokens. Throws when there is none, saying where to find one. */
export function tokenDigests(
  email: string,
  tokens: string | readonly string[] | undefined,
): readonly Buffer[] {
  const live = (typeof tokens === 'string' ? [tokens] : (tokens ?? [])).map((token) =>
    token.trim(),
  );
  if (live.length === 0 || live.includes('')) {
    throw new TypeError(
      `createBot: no token for ${email}. Give the token of its outgoing webhook: the server ` +
        'shows it to the bot’s owner (`services[].token` of the bot in the `realm_bot` events), ' +
        'and the sandbox writes it to .bellhop/sandbox.json.',
    );
  }
  return live.map(tokenDigest);
}
