import type { UserId } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm } from '../../engine/caller.ts';
import * as queries from './queries.ts';
import { beginningsIn, wordFinder } from './word-finder.ts';

interface Recipients {
  readonly realm: Pick<Realm, 'id' | 'has_alert_words'>;
  readonly recipients: readonly UserId[];
}

/**
 * The recipients with an alert word in each of these contents, which are Markdown. One statement, and none
 * in a realm without alert words.
 */
export async function findAlerted(
  db: Db,
  { realm, recipients }: Recipients,
  contents: readonly string[],
): Promise<ReadonlySet<UserId>[]> {
  const beginnings = realm.has_alert_words ? beginningsIn(contents) : [];
  if (beginnings.length === 0) return contents.map(() => new Set());
  const rows = await queries.beginning(db, { realm: realm.id, recipients, beginnings });
  const usersByWord = Map.groupBy(rows, ({ word }) => word);
  const find = wordFinder(usersByWord.keys());
  return contents.map((content) => {
    const words = [...find(content)];
    return new Set(
      words.flatMap((word) => (usersByWord.get(word) ?? []).map(({ user_id }) => user_id)),
    );
  });
}
