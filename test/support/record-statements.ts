import pg from 'pg';

/** Collects the SQL statements that this process sends, until stopped. */
export function recordStatements(): {
  /** Every statement once. */
  readonly seen: readonly string[];
  /** How often a statement that contains this text was sent. */
  readonly countOf: (part: string) => number;
  readonly stop: () => void;
} {
  const sent: string[] = [];
  const prototype = pg.Client.prototype as { query: (...args: unknown[]) => unknown };
  const { query } = prototype;
  prototype.query = function recorded(this: unknown, ...args: unknown[]) {
    const [first] = args;
    const text = typeof first === 'string' ? first : (first as { text?: string } | undefined)?.text;
    if (text) sent.push(text.replace(/\s+/g, ' ').trim());
    return query.apply(this, args);
  };
  return {
    get seen() {
      return [...new Set(sent)];
    },
    countOf: (part) => sent.filter((statement) => statement.includes(part)).length,
    stop: () => {
      prototype.query = query;
    },
  };
}
