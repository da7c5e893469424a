import { randomBytes, timingSafeEqual } from 'node:crypto';

import type { Bot } from './create-bot.ts';
import { tokenDigest } from './token-digests.ts';

/**
 * Finds the bot of an e-mail address and checks its token. An unknown bot and a wrong token cost
 * the same work: every bot, and the stranger, has as many digests as the bot with the most tokens.
 * Throws on no bots, or two with one address.
 */
export function authenticator(
  bots: readonly Bot[],
): (email: string, token: string) => Bot | undefined {
  if (bots.length === 0) throw new TypeError('Give at least one bot to serve.');
  const width = Math.max(...bots.map((bot) => bot.tokenDigests.length));
  const padded = (digests: readonly Buffer[]) => [
    ...digests,
    ...Array.from({ length: width - digests.length }, () => randomBytes(32)),
  ];
  const known = new Map(
    bots.map((bot) => [bot.email.toLowerCase(), { bot, digests: padded(bot.tokenDigests) }]),
  );
  if (known.size < bots.length) throw new TypeError('Two bots have the same e-mail address.');
  const stranger = { bot: undefined, digests: padded([]) };

  return (email, token) => {
    const { bot, digests } = known.get(email.toLowerCase()) ?? stranger;
    const given = tokenDigest(token);
    let genuine = false;
    for (const digest of digests) genuine = timingSafeEqual(digest, given) || genuine;
    return genuine ? bot : undefined;
  };
}
