import type { NarrowTerm } from '@bellhop/protocol';
import { sql } from 'kysely';

import { badNarrow } from './bad-narrow.ts';
import { type Condition, type NarrowContext, textOf } from './narrow-term.ts';

export interface Search {
  /** A tsquery as text; empty if the search has only stop words. */
  readonly query: string;
  /** Over `m`. Without `fromIndex` it is for messages that another index finds, such as those near an anchor. */
  readonly condition: Condition;
  /** The same search, starting from the index of words, which finds all matches of the realm. */
  readonly fromIndex: () => Promise<Search>;
}

/**
 * The limit of all search terms of a narrow together. The time of a search grows with its words.
 */
const MAX_SEARCH_LENGTH = 1000;

/** Throws BAD_NARROW if the search terms of a narrow, negated ones included, are too long together. */
export function requireShortSearch(terms: readonly NarrowTerm[]): void {
  const texts = terms.filter(({ operator }) => operator === 'search').map(textOf);
  if (texts.join('').length > MAX_SEARCH_LENGTH)
    throw badNarrow(`the search terms have more than ${MAX_SEARCH_LENGTH} characters`);
}

/**
 * Compiles all `search` terms as one. Every word must occur in any of its forms, and every quoted
 * phrase. Throws BAD_NARROW.
 */
export async function searchFor(
  context: NarrowContext,
  terms: readonly NarrowTerm[],
): Promise<Search> {
  // Phones and keyboards type other quotation marks.
  const text = terms
    .map(textOf)
    .join(' ')
    .replaceAll(/[“”„«»＂]/g, '"');
  if (text.trim() === '') throw badNarrow('the operand of search must not be empty');
  const phrases = [...text.matchAll(/"([^"]+)"/g)].map(([, phrase = '']) => phrase.trim());
  const words = text.replaceAll(/"[^"]+"/g, ' ');
  const { rows } = await sql<{ query: string; stopped: string[] }>`
    select (plainto_tsquery('english', searchable(${words})) && coalesce(
        string_agg('(' || q::text || ')', ' & ') filter (where numnode(q) > 0), '')::tsquery
      )::text as query,
      coalesce(array_agg(phrase) filter (where numnode(q) = 0), '{}') as stopped
    from unnest(${phrases}::text[]) p (phrase), phraseto_tsquery('english', searchable(p.phrase)) q
  `.execute(context.db);
  const { query = '', stopped = [] } = rows[0] ?? {};
  const matches = sql`m.search @@ ${query}::tsquery`;
  // The index has no stop words: a phrase such as "to be" is compared letter by letter.
  const literally = stopped.map((phrase) => {
    const like = `%${phrase.replaceAll(/[\\%_]/g, '\\$&')}%`;
    return sql`(m.content ilike ${like} or m.topic ilike ${like})`;
  });
  const isLiteral = query === '' && literally.length > 0;
  const searchOf = (words: Condition): Search => ({
    query,
    condition: sql`(${sql.join(isLiteral ? literally : [words, ...literally], sql` and `)})`,
    fromIndex,
  });
  const fromIndex = async () => {
    const few = query === '' ? undefined : await fewMatches(context, query);
    return searchOf(few === undefined ? matches : sql`m.id = any(${few}::bigint[])`);
  };
  return searchOf(sql`(${matches}) is true`);
}

const MAX_FEW = 2000;

/**
 * The ids of the matching messages of the realm if there are few, as a bigint[] in text, so that the query
 * starts from them. With many matches a scan of the reader's messages finds enough of them soon.
 */
async function fewMatches(
  { db, realm }: NarrowContext,
  query: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ ids: string | null }>`
    select case when count(*) <= ${MAX_FEW} then coalesce(array_agg(id), '{}')::text end as ids
    from (select m.id from message m where m.realm_id = ${realm.id}
      and m.search @@ ${query}::tsquery limit ${MAX_FEW + 1}) matching`.execute(db);
  return rows[0]?.ids ?? undefined;
}
