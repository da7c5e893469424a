import { createHash } from 'node:crypto';

/** A page of messages takes 8,000 characters, most of them about the rights of its reader. */
const maxTextLength = 16_384;
const maxNames = 500;
const maxSeenOnce = 2000;

export type StatementNames = (text: string) => string | undefined;

/**
 * Decides which SQL texts become named prepared statements, which a connection parses once. A text
 * gets a name at its second use. Long texts, and texts after the first 500, get none: otherwise
 * unbounded texts (inserts of many rows) would fill the memory of connections.
 */
export function statementNames(): StatementNames {
  const names = new Map<string, string>();
  const seenOnce = new Set<string>();
  return (text) => {
    const name = names.get(text);
    if (name !== undefined) return name;
    if (text.length > maxTextLength || names.size >= maxNames) return undefined;
    if (!seenOnce.delete(text)) {
      if (seenOnce.size >= maxSeenOnce) seenOnce.clear();
      seenOnce.add(text);
      return undefined;
    }
    const fresh = createHash('sha1').update(text).digest('base64url').slice(0, 16);
    names.set(text, fresh);
    return fresh;
  };
}
