import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

import { type AnyBot, internals } from './internals.ts';

/** Finds the bot of an e-mail address that is not in the list of bots, such as a tenant's. */
export type ResolveBot = (email: string) => Promise<AnyBot | undefined>;

/** A bot and the digests of its tokens; without a bot, random digests to compare with. */
interface Credentials {
  readonly bot: AnyBot | undefined;
  readonly digests: readonly Buffer[];
}

export interface Authenticator {
  /** The bot with this address and token; undefined if either is wrong. */
  readonly byEmail: (email: string, token: string) => Promise<AnyBot | undefined>;
  /** The bot with this token, for payloads without an address. */
  readonly byToken: (token: string) => AnyBot | undefined;
}

/**
 * Finds bots and checks their tokens. Each check compares the same number of digests, so that its
 * duration does not tell an unknown bot from a wrong token. Throws if there is no bot, or if two
 * have the same address.
 */
export function authenticator(bots: readonly AnyBot[], resolve?: ResolveBot): Authenticator {
  if (bots.length === 0 && !resolve) throw new TypeError('Give at least one bot to serve.');
  const counts = bots.map((bot) => bot[internals].tokenDigests.length);
  // A bot that is resolved later may have two tokens while one replaces the other.
  const width = Math.max(resolve ? 2 : 1, ...counts);
  const known = new Map(bots.map((bot) => [bot.email.toLowerCase(), credentials(bot, width)]));
  if (known.size < bots.length) throw new TypeError('Two bots have the same e-mail address.');
  const unknown = credentials(undefined, width);

  return {
    async byEmail(email, token) {
      const found = known.get(email.toLowerCase());
      if (found !== undefined || !resolve) return authenticated(found ?? unknown, token);
      const bot = await resolve(email);
      return authenticated(bot ? credentials(bot, width) : unknown, token);
    },
    byToken(token) {
      let found: AnyBot | undefined;
      for (const one of known.values()) found = authenticated(one, token) ?? found;
      return found;
    },
  };
}

/** Pads the digests of a bot with random ones. */
function credentials(bot: AnyBot | undefined, width: number): Credentials {
  const digests = bot?.[internals].tokenDigests ?? [];
  const missing = Math.max(0, width - digests.length);
  return { bot, digests: [...digests, ...Array.from({ length: missing }, () => randomBytes(64))] };
}

function authenticated({ bot, digests }: Credentials, token: string): AnyBot | undefined {
  const given = tokenDigest(token);
  let same = false;
  for (const digest of digests) same = timingSafeEqual(digest, given) || same;
  return same ? bot : undefined;
}

/**
 * A digest of fixed length, which timingSafeEqual needs; in hexadecimal, because Node returns a digest
 * as text three times as fast as in a buffer.
 */
const tokenDigest = (token: string): Buffer => Buffer.from(hash('sha256', token, 'hex'), 'latin1');

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
