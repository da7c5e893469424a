import type { RealmId, UserId } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import * as queries from './queries.ts';
import { beginningsIn, wordFinder } from './word-finder.ts';

interface Recipients {
  readonly realm: RealmId;
  readonly recipients: readonly UserId[];
}

/** The recipients with an alert word in a content, which is Markdown. */
export async function findAlerted(
  db: Db,
  { realm, recipients }: Recipients,
  content: string,
): Promise<ReadonlySet<UserId>> {
  const beginnings = beginningsIn([content]);
  const { rows } = await queries.beginning({ realm, recipients, beginnings }).execute(db);
  return new Set(alertedBy(rows)(content));
}

/** Finds the users who have one of these words that a content has. */
export function alertedBy(
  rows: readonly queries.FoundWord[],
): (content: string) => Iterable<UserId> {
  const usersByWord = Map.groupBy(rows, ({ word }) => word);
  const find = wordFinder(usersByWord.keys());
  return function* alerted(content) {
    for (const word of find(content))
      for (const { user_id } of usersByWord.get(word) ?? []) yield user_id;
  };
}
