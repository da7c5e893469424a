import type { RealmId, UserId } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import * as queries from './queries.ts';
import { beginningsIn, wordFinder } from './word-finder.ts';

interface Recipients {
  readonly realm: RealmId;
  readonly recipients: readonly UserId[];
}

/** The recipients with an alert word in each of these contents, which are Markdown. */
export async function findAlerted(
  db: Db,
  { realm, recipients }: Recipients,
  contents: readonly string[],
): Promise<ReadonlySet<UserId>[]> {
  const beginnings = beginningsIn(contents);
  const rows = await queries.beginning(db, { realm, recipients, beginnings });
  const usersByWord = Map.groupBy(rows, ({ word }) => word);
  const find = wordFinder(usersByWord.keys());
  return contents.map((content) => {
    const words = [...find(content)];
    return new Set(
      words.flatMap((word) => (usersByWord.get(word) ?? []).map(({ user_id }) => user_id)),
    );
  });
}
