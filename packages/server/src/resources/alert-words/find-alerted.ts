import type { RealmId, UserId } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import * as queries from './queries.ts';

const LETTER_OR_DIGIT = '[\\p{L}\\p{N}_]';

/** The users with an alert word in a content, which is Markdown. */
export async function findAlerted(
  db: Db,
  realm: RealmId,
  content: string,
): Promise<ReadonlySet<UserId>> {
  const { rows } = await queries.within(realm, [content]).execute(db);
  return new Set(
    rows.filter(({ word }) => isWholeWord(content, word)).map(({ user_id }) => user_id),
  );
}

/**
 * Whether a text has a word, in any letter case, that is not a part of a longer one: no letter or digit
 * stands directly before or after it.
 */
export function isWholeWord(text: string, word: string): boolean {
  const literal = word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
  const pattern = `(?<!${LETTER_OR_DIGIT})${literal}(?!${LETTER_OR_DIGIT})`;
  return new RegExp(pattern, 'iu').test(text);
}
