import { timingSafeEqual } from 'node:crypto';

import { type BotError, misconfigured } from './bot-error.ts';

/** A token of 255 UTF-16 units at most, its padding, and its length in the last place. */
const SIZE = 256;
const given = new Uint16Array(SIZE);

/** A token of a bot, in the form in which it is compared. */
export type ComparableToken = Uint16Array;

/** The tokens of a bot in a fixed size. Throws BotError `config_invalid` for an empty or too long one. */
export function comparableTokens(
  email: string,
  tokens: string | readonly string[] | undefined,
): readonly ComparableToken[] {
  const list = typeof tokens === 'string' ? [tokens] : (tokens ?? []);
  return list.map((token) => {
    const units = new Uint16Array(SIZE);
    if (token.trim() === '') throw noToken(email);
    if (!write(token.trim(), units))
      throw misconfigured(`createBot: a token of ${email} has more than ${SIZE - 1} characters.`);
    return units;
  });
}

/** The error of a bot that is to receive webhooks and has no token to know them by. */
export const noToken = (email: string): BotError =>
  misconfigured(
    `No token for ${email}. Give createBot the \`token\` (BOT_TOKEN) of its outgoing webhook: the ` +
      'server shows it to the bot’s owner (`services[].token` of the bot in the `realm_bot` ' +
      'events), and the sandbox writes it to .bellhop/sandbox.json.',
  );

/** A token that no text has. */
export const randomToken = (): ComparableToken => crypto.getRandomValues(new Uint16Array(SIZE));

/**
 * Whether a text is one of some tokens. Takes the same time for each token of a list, right or wrong:
 * texts of any length are compared in the same number of units.
 */
export function isOneOf(tokens: readonly ComparableToken[], text: string): boolean {
  const fits = write(text, given);
  let same = false;
  for (const token of tokens) same = timingSafeEqual(token, given) || same;
  return same && fits;
}

/** Writes a token and its length; false if it is too long. */
function write(token: string, units: ComparableToken): boolean {
  const { length } = token;
  units.fill(0);
  if (length >= SIZE) return false;
  for (let at = 0; at < length; at += 1) units[at] = token.charCodeAt(at);
  units[SIZE - 1] = length;
  return true;
}
