import type { NarrowTerm } from '@bellhop/protocol';
import { sql } from 'kysely';

import { badNarrow } from './bad-narrow.ts';
import { type Condition, type Seeker, textOf } from './narrow-term.ts';

/** What is searched for: a tsquery as text, empty where nothing but stop words is asked for. */
export interface Search {
  readonly query: string;
  readonly condition: Condition;
}

/** All `search` terms as one. Words must all occur, in any form; what is in quotes as a phrase. */
export async function searchFor(seeker: Seeker, terms: readonly NarrowTerm[]): Promise<Search> {
  const text = terms.map(textOf).join(' ');
  if (text.trim() === '') throw badNarrow('the operand of search must not be empty');
  const phrases = [...text.matchAll(/"([^"]+)"/g)].map(([, phrase = '']) => phrase.trim());
  const words = text.replaceAll(/"[^"]+"/g, ' ');
  const { rows } = await sql<{ query: string; stopped: string[] }>`
    select (plainto_tsquery('english', ${words}) && coalesce(
        string_agg('(' || q::text || ')', ' & ') filter (where numnode(q) > 0), '')::tsquery
      )::text as query,
      coalesce(array_agg(phrase) filter (where numnode(q) = 0), '{}') as stopped
    from unnest(${phrases}::text[]) p (phrase), phraseto_tsquery('english', p.phrase) q
  `.execute(seeker.db);
  const { query = '', stopped = [] } = rows[0] ?? {};
  const few = query === '' ? undefined : await fewMatches(seeker, query);
  // A phrase such as "to be" is in no index; it is looked for letter by letter.
  const literally = stopped.map((phrase) => `%${phrase.replaceAll(/[\\%_]/g, '\\$&')}%`);
  const conditions = [
    ...(query === '' && literally.length > 0
      ? []
      : [few ? sql`m.id = any(${few}::bigint[])` : sql`m.search @@ ${query}::tsquery`]),
    ...literally.map((like) => sql`(m.content ilike ${like} or m.topic ilike ${like})`),
  ];
  return { query, condition: sql`(${sql.join(conditions, sql` and `)})` };
}

const FEW = 2000;

/**
 * The messages of the realm that match, if they are few: then they are the way to the answer. Of
 * many matches enough are found soon on the way through the reader's messages, newest first.
 */
async function fewMatches({ db, realm }: Seeker, query: string): Promise<number[] | undefined> {
  const { rows } = await sql<{ id: number }>`select m.id from message m
    where m.realm_id = ${realm.id} and m.search @@ ${query}::tsquery limit ${FEW + 1}`.execute(db);
  return rows.length > FEW ? undefined : rows.map(({ id }) => id);
}
