import pg from 'pg';

/** Collects every SQL statement that this process sends, each once, until stopped. */
export function recordStatements(): {
  readonly seen: readonly string[];
  readonly stop: () => void;
} {
  const seen = new Set<string>();
  const prototype = pg.Client.prototype as { query: (...args: unknown[]) => unknown };
  const { query } = prototype;
  prototype.query = function recorded(this: unknown, ...args: unknown[]) {
    const [first] = args;
    const text = typeof first === 'string' ? first : (first as { text?: string } | undefined)?.text;
    if (text) seen.add(text.replace(/\s+/g, ' ').trim());
    return query.apply(this, args);
  };
  return {
    get seen() {
      return [...seen];
    },
    stop: () => {
      prototype.query = query;
    },
  };
}
