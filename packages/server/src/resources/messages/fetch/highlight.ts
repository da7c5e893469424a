import { sql } from 'kysely';

import type { Db } from '../../../engine/call.ts';
import { escapeHtml } from '../../../markdown/escape-html.ts';

/** Tags, which stay as they are, and the text between them. */
const pieces = /<[^>]*>|[^<]+/g;
const OPTIONS = `HighlightAll=true, StartSel='<span class="highlight">', StopSel='</span>'`;

interface Found {
  readonly topic: string;
  readonly rendered_content: string;
}
interface Highlighted {
  readonly match_subject: string;
  readonly match_content: string;
}

/**
 * What a search found, as HTML with the words that match in `<span class="highlight">`. Only text is
 * marked, never a tag or an attribute; PostgreSQL does it, so that word forms agree with the search.
 */
export async function highlight(
  db: Db,
  query: string,
  messages: readonly Found[],
): Promise<Highlighted[]> {
  const split = messages.map(({ topic, rendered_content }) => ({
    subject: [escapeHtml(topic)],
    content: rendered_content.match(pieces) ?? [],
  }));
  const texts = new Set(split.flatMap(({ subject, content }) => [...subject, ...content]));
  const marked = await mark(db, query, [...texts].filter(isText));
  const whole = (parts: readonly string[]) =>
    parts.map((part) => marked.get(part) ?? part).join('');
  return split.map(({ subject, content }) => ({
    match_subject: whole(subject),
    match_content: whole(content),
  }));
}

const isText = (piece: string) => !piece.startsWith('<') && /\S/.test(piece);

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
