import { escapeHtml } from '@bellhop/protocol';
import { sql } from 'kysely';

import type { Db } from '../../../engine/call.ts';

/**
 * Matches a tag, or text between two tags. Words of more than 200 characters, which take PostgreSQL
 * long, are pieces of their own.
 */
const PIECES = /<[^>]*>|[^<\s]{201,}|(?:(?![^<\s]{201})[^<])+/g;
const OPTIONS = `HighlightAll=true, StartSel='<span class="highlight">', StopSel='</span>'`;

interface SearchHit {
  readonly topic: string;
  readonly rendered_content: string;
}
interface Highlighted {
  readonly match_subject: string;
  readonly match_content: string;
}

/**
 * Puts the matches of a search in `<span class="highlight">`. Tags and attributes stay as they are.
 * PostgreSQL finds the matches, so that word forms agree with the search.
 */
export async function highlight(
  db: Db,
  query: string,
  messages: readonly SearchHit[],
): Promise<Highlighted[]> {
  const split = messages.map(({ topic, rendered_content }) => ({
    subject: [escapeHtml(topic)],
    content: rendered_content.match(PIECES) ?? [],
  }));
  const texts = new Set(split.flatMap(({ subject, content }) => [...subject, ...content]));
  const marked = await mark(db, query, [...texts].filter(isText));
  const joined = (parts: readonly string[]) =>
    parts.map((part) => marked.get(part) ?? part).join('');
  return split.map(({ subject, content }) => ({
    match_subject: joined(subject),
    match_content: joined(content),
  }));
}

const isText = (piece: string) => /^(?!<|\S{201}).*\S/s.test(piece);

async function mark(
  db: Db,
  query: string,
  texts: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (texts.length === 0 || query === '') return new Map();
  const { rows } = await sql<{ text: string; marked: string }>`
    select t.text, ts_headline('english', t.text, ${query}::tsquery, ${OPTIONS}) as marked
    from unnest(${texts}::text[]) t (text)`.execute(db);
  return new Map(rows.map(({ text, marked }) => [text, marked]));
}
