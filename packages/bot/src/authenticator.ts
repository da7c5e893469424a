import { randomBytes, timingSafeEqual } from 'node:crypto';

import { type AnyBot, internals } from './internals.ts';
import { tokenDigest } from './token-digests.ts';

/** Finds a bot that is not among those given at the start, as of a tenant. */
export type ResolveBot = (email: string) => Promise<AnyBot | undefined>;

interface Known {
  readonly bot: AnyBot | undefined;
  readonly digests: readonly Buffer[];
}

export interface Authenticator {
  /** The bot of an address whose token this is; undefined for anybody else. */
  readonly byEmail: (
    email: string,
    token: string,
  ) => AnyBot | undefined | Promise<AnyBot | undefined>;
  /** The bot whose token this is, where its address is not told. */
  readonly byToken: (token: string) => AnyBot | undefined;
}

/**
 * Finds bots and checks their tokens. An unknown bot and a wrong token cost the same work: every
 * bot, and the stranger, has as many digests as the bot with the most tokens. Throws on no bots, or
 * two with one address.
 */
export function authenticator(bots: readonly AnyBot[], resolve?: ResolveBot): Authenticator {
  if (bots.length === 0 && !resolve) throw new TypeError('Give at least one bot to serve.');
  const live = bots.map((bot) => bot[internals].tokenDigests.length);
  // Bots that are looked up later may be exchanging their token: two are allowed for.
  const width = Math.max(resolve ? 2 : 1, ...live);
  const known = new Map(bots.map((bot) => [bot.email.toLowerCase(), padded(bot, width)]));
  if (known.size < bots.length) throw new TypeError('Two bots have the same e-mail address.');
  const stranger = padded(undefined, width);

  return {
    byEmail(email, token) {
      const found = known.get(email.toLowerCase());
      if (found !== undefined || !resolve) return genuine(found ?? stranger, token);
      return resolve(email).then((bot) => genuine(bot ? padded(bot, width) : stranger, token));
    },
    byToken(token) {
      let found: AnyBot | undefined;
      for (const one of known.values()) found = genuine(one, token) ?? found;
      return found;
    },
  };
}

function padded(bot: AnyBot | undefined, width: number): Known {
  const digests = bot?.[internals].tokenDigests ?? [];
  const missing = Math.max(0, width - digests.length);
  return { bot, digests: [...digests, ...Array.from({ length: missing }, () => randomBytes(64))] };
}

function genuine({ bot, digests }: Known, token: string): AnyBot | undefined {
  const given = tokenDigest(token);
  let same = false;
  for (const digest of digests) same = timingSafeEqual(digest, given) || same;
  return same ? bot : undefined;
}
