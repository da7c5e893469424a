import type { RealmId, UserId } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { lowerAll } from '../../engine/lower-all.ts';

/** The alert words of a user in alphabetical order. */
export async function ofUser(db: Db, { id, realm_id }: User): Promise<string[]> {
  const rows = await db
    .selectFrom('alert_word')
    .select('word')
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .orderBy(sql`word_key collate "C"`)
    .execute();
  return rows.map(({ word }) => word);
}

/** Adds words that the user does not have yet in any letter case. */
export async function add(tx: Tx, { id, realm_id }: User, words: readonly string[]): Promise<void> {
  await sql`insert into alert_word (realm_id, user_id, word)
    select ${realm_id}, ${id}, word from unnest(${words}::text[]) word
    on conflict do nothing`.execute(tx);
}

export async function remove(
  tx: Tx,
  { id, realm_id }: User,
  words: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('alert_word')
    .where('realm_id', '=', realm_id)
    .where('user_id', '=', id)
    .where(sql<boolean>`word_key = any(${lowerAll(words)})`)
    .execute();
}

interface FoundWord {
  /** The position of the content in the list. */
  readonly at: number;
  readonly user_id: UserId;
  readonly word: string;
}

/** Selects the alert words that occur anywhere in each of these contents, also inside of other words. */
export const within = (realm: RealmId, contents: readonly string[]): RawBuilder<FoundWord> =>
  sql`select c.at::integer - 1 as at, w.user_id, w.word_key as word
    from unnest(${contents}::text[]) with ordinality c (content, at)
    join alert_word w on w.realm_id = ${realm} and strpos(lower(c.content), w.word_key) > 0`;
