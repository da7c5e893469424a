import { createHash } from 'node:crypto';

const longestText = 4096;
const mostNames = 500;
const mostSeenOnce = 2000;

export type StatementNames = (text: string) => string | undefined;

/**
 * Decides which SQL texts become named prepared statements, which each connection parses once.
 * A text gets its name the second time it is seen; long texts and those beyond the first 500 never
 * do, so that texts without bound (inserts of many rows) cannot fill a connection's memory.
 */
export function statementNames(): StatementNames {
  const names = new Map<string, string>();
  const seenOnce = new Set<string>();
  return (text) => {
    const name = names.get(text);
    if (name !== undefined) return name;
    if (text.length > longestText || names.size >= mostNames) return undefined;
    if (!seenOnce.delete(text)) {
      if (seenOnce.size >= mostSeenOnce) seenOnce.clear();
      seenOnce.add(text);
      return undefined;
    }
    const fresh = createHash('sha1').update(text).digest('base64url').slice(0, 16);
    names.set(text, fresh);
    return fresh;
  };
}
