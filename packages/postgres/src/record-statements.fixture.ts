import { Client } from 'pg';

export interface RecordedStatements extends Disposable {
  /** Every statement that this process has sent to a database since, once, as it was sent. */
  readonly seenIn: (database: string) => readonly string[];
  /** How often a statement that contains this text was sent; spaces and line ends are one space each. */
  readonly countOf: (part: string) => number;
  /** The statements of the transactions that this process has committed since, from BEGIN to COMMIT. */
  readonly transactions: readonly (readonly string[])[];
}
type Query = (this: Client, ...args: [string | { readonly text?: string }]) => unknown;

/** Records the statements of all connections of this process, until it is disposed of. */
export function recordStatements(): RecordedStatements {
  const sent = new Map<string, number>();
  const seen = new Map<string, Set<string>>();
  const open = new WeakMap<Client, string[]>();
  const transactions: string[][] = [];
  const query = Reflect.get(Client.prototype, 'query') as Query;
  const recorded: Query = function (...args) {
    const [statement] = args;
    const text = (typeof statement === 'string' ? statement : statement.text) ?? '';
    sent.set(text, (sent.get(text) ?? 0) + 1);
    const database = this.database ?? '';
    seen.set(database, (seen.get(database) ?? new Set()).add(text));
    if (text.startsWith('begin')) open.set(this, []);
    const statements = open.get(this);
    statements?.push(text);
    if (statements && text === 'commit') {
      transactions.push(statements);
      open.delete(this);
    }
    return Reflect.apply(query, this, args);
  };
  Reflect.set(Client.prototype, 'query', recorded);
  return {
    seenIn: (database) => [...(seen.get(database) ?? [])],
    countOf: (part) =>
      [...sent].reduce(
        (sum, [text, count]) => sum + (text.replaceAll(/\s+/g, ' ').includes(part) ? count : 0),
        0,
      ),
    transactions,
    [Symbol.dispose]: () => void Reflect.set(Client.prototype, 'query', query),
  };
}
