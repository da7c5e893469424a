import { numberArray } from '@bellhop/postgres';
import type { MessageId, NarrowTerm } from '@bellhop/protocol';
import { type RawBuilder, sql } from 'kysely';

import { badNarrow } from './bad-narrow.ts';
import { type NarrowContext, textOf } from './narrow-term.ts';

export interface Search {
  /** A tsquery as text; empty if the search has only stop words. */
  readonly query: string;
  /** Over `m`. Without `among` it is for messages that another index finds, such as those near an anchor. */
  readonly condition: RawBuilder<unknown>;
  /**
   * All matches of the realm, ascending, from the index of words; undefined if they are more than MAX_KNOWN.
   * A search that has letters to compare finds more than it.
   */
  readonly matches: () => Promise<readonly MessageId[] | undefined>;
  /** The same search among these messages; undefined: among all of the realm. */
  readonly among: (ids: readonly MessageId[] | undefined) => Search;
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
  const searchOf = (words: RawBuilder<unknown>): Search => ({
    query,
    condition: sql`(${sql.join(isLiteral ? literally : [words, ...literally], sql` and `)})`,
    matches: async () => (query === '' ? undefined : knownMatches(context, query)),
    among: (ids) =>
      searchOf(ids === undefined ? matches : sql`m.id = any(${numberArray(ids)}::bigint[])`),
  });
  return searchOf(sql`(${matches}) is true`);
}

/** Of a more frequent word, a scan of the reader's messages finds enough soon. */
const MAX_KNOWN = 20_000;

async function knownMatches(
  { db, realm }: NarrowContext,
  query: string,
): Promise<readonly MessageId[] | undefined> {
  const { rows } = await sql<{ ids: MessageId[] | null }>`
    select case when count(*) <= ${MAX_KNOWN} then coalesce(json_agg(id order by id), '[]') end as ids
    from (select m.id from message m where m.realm_id = ${realm.id}
      and m.search @@ ${query}::tsquery limit ${MAX_KNOWN + 1}) matching`.execute(db);
  return rows[0]?.ids ?? undefined;
}
