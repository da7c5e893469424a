import type { RealmId, UserId } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import * as queries from './queries.ts';
import { beginningsIn, wordFinder } from './word-finder.ts';

/** The users with an alert word in each of these contents, which are Markdown. */
export async function findAlerted(
  db: Db,
  realm: RealmId,
  contents: readonly string[],
): Promise<ReadonlySet<UserId>[]> {
  const rows = await queries.beginning(db, realm, beginningsIn(contents));
  const usersByWord = Map.groupBy(rows, ({ word }) => word);
  const find = wordFinder(usersByWord.keys());
  return contents.map((content) => {
    const words = [...find(content)];
    return new Set(
      words.flatMap((word) => (usersByWord.get(word) ?? []).map(({ user_id }) => user_id)),
    );
  });
}
