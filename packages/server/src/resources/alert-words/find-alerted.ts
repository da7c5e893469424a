import type { RealmId, UserId } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import * as queries from './queries.ts';

const LETTER_OR_DIGIT = '[\\p{L}\\p{N}_]';

/**
 * The users of whom each content, in Markdown, has an alert word. A word counts only as a whole: no
 * letter or digit stands directly before or after it.
 */
export async function findAlerted(
  db: Db,
  realm: RealmId,
  contents: readonly string[],
): Promise<readonly ReadonlySet<UserId>[]> {
  const alerted = contents.map(() => new Set<UserId>());
  const found = await queries.within(db, realm, contents);
  for (const { at, user_id, word } of found)
    if (isWholeWord(contents[at] ?? '', word)) alerted[at]?.add(user_id);
  return alerted;
}

/** Whether a text has a word, in any letter case, that is not a part of a longer one. */
export function isWholeWord(text: string, word: string): boolean {
  const literal = word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
  const pattern = `(?<!${LETTER_OR_DIGIT})${literal}(?!${LETTER_OR_DIGIT})`;
  return new RegExp(pattern, 'iu').test(text);
}
