import { lowerAll } from '@bellhop/postgres';
import type { RealmId, UserId } from '@bellhop/protocol';
import { sql, type GeneratedAlways } from 'kysely';

import type { Db, Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';

declare module '../../engine/tables.ts' {
  interface Tables {
    alert_word: {
      realm_id: RealmId;
      user_id: UserId;
      word: string;
      /** The word in lower case. */
      word_key: GeneratedAlways<string>;
    };
  }
}

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
  readonly user_id: UserId;
  readonly word: string;
}

/**
 * The alert words of a realm that begin so. `beginnings` are the first three characters of words, or the
 * whole of shorter ones; all different.
 */
export async function beginning(
  db: Db,
  realm: RealmId,
  beginnings: readonly string[],
): Promise<readonly FoundWord[]> {
  const { rows } = await sql<FoundWord>`
    select w.user_id, w.word_key as word
    from unnest(${beginnings}::text[]) b (beginning)
    join alert_word w on w.realm_id = ${realm} and left(w.word_key, 3) = b.beginning`.execute(db);
  return rows;
}
