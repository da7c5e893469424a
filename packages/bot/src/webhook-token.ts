import { timingSafeEqual } from 'node:crypto';

/** A token of 255 bytes at most, its padding, and its length in the last byte. */
const SIZE = 256;
const given = Buffer.alloc(SIZE);

/** A token of a bot, in the form in which it is compared. */
export type TokenBytes = Buffer;

/**
 * The tokens of a bot in a fixed size. Throws an error that says where to find a token if there is
 * none.
 */
export function tokenBytes(
  email: string,
  tokens: string | readonly string[] | undefined,
): readonly TokenBytes[] {
  const list = typeof tokens === 'string' ? [tokens] : (tokens ?? []);
  const trimmed = list.map((token) => token.trim());
  if (trimmed.length === 0 || trimmed.includes('')) {
    throw new TypeError(
      `createBot: no token for ${email}. Give the token of its outgoing webhook: the server ` +
        'shows it to the bot’s owner (`services[].token` of the bot in the `realm_bot` events), ' +
        'and the sandbox writes it to .bellhop/sandbox.json.',
    );
  }
  return trimmed.map((token) => {
    const bytes = Buffer.alloc(SIZE);
    if (!write(token, bytes))
      throw new TypeError(`createBot: a token of ${email} has more than ${SIZE - 1} bytes.`);
    return bytes;
  });
}

/**
 * Whether a text is one of some tokens. Takes the same time for each token of a list, right or wrong:
 * texts of any length are compared in the same number of bytes.
 */
export function isOneOf(tokens: readonly TokenBytes[], text: string): boolean {
  const fits = write(text, given);
  let same = false;
  for (const token of tokens) same = timingSafeEqual(token, given) || same;
  return same && fits;
}

/** Writes a token and its length; false if it is too long. */
function write(token: string, bytes: Buffer): boolean {
  bytes.fill(0);
  // Each unit of the text takes a byte at least.
  if (token.length >= SIZE) return false;
  const length = Buffer.byteLength(token);
  if (length >= SIZE) return false;
  bytes.write(token);
  bytes[SIZE - 1] = length;
  return true;
}
