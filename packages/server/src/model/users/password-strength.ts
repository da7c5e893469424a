import {
  badRequest,
  MAX_PASSWORD_LENGTH,
  MIN_PASSWORD_GUESSES,
  MIN_PASSWORD_LENGTH,
} from '@bellhop/protocol';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** A prefix of this length decides: the time of an estimate grows with the square of the length. */
const ESTIMATED_LENGTH = 40;

let estimator: Promise<ZxcvbnFactory> | undefined;

/** The dictionaries take about 60 MB and a quarter of a second: only a node that sets passwords loads them. */
async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Estimator }, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ]);
  const names = ['commonWords-en', 'firstnames-en', 'lastnames-en', 'wikipedia-en'];
  const words = Object.entries(english.dictionary).filter(([name]) => names.includes(name));
  return new Estimator({
    dictionary: { ...common.dictionary, ...Object.fromEntries(words) },
    graphs: common.adjacencyGraphs,
    maxLength: ESTIMATED_LENGTH,
  });
}

/**
 * Throws BAD_REQUEST for a password of the wrong length, or one that is guessed in fewer than
 * `password_min_guesses` tries.
 */
export async function checkPassword(password: string): Promise<void> {
  const tooWeak = badRequest('The password is too weak.');
  if (password.length < MIN_PASSWORD_LENGTH || password.length > MAX_PASSWORD_LENGTH) throw tooWeak;
  const { guesses } = (await (estimator ??= loadEstimator())).check(password);
  if (guesses < MIN_PASSWORD_GUESSES) throw tooWeak;
}
