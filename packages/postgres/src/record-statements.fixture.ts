import { Client } from 'pg';

interface RecordedStatements extends Disposable {
  /** The statements of the transactions that this process has committed since, from BEGIN to COMMIT. */
  readonly transactions: readonly (readonly string[])[];
}

/** Records the transactions of all connections of this process, until it is disposed of. */
export function recordStatements(): RecordedStatements {
  const open = new WeakMap<Client, string[]>();
  const transactions: string[][] = [];
  const { query } = Client.prototype;
  const recorded = function (this: Client, ...args: [string | { readonly text: string }]) {
    const [statement] = args;
    const text = typeof statement === 'string' ? statement : statement.text;
    if (text.startsWith('begin')) open.set(this, []);
    const statements = open.get(this);
    statements?.push(text);
    if (statements && text === 'commit') {
      transactions.push(statements);
      open.delete(this);
    }
    return Reflect.apply(query, this, args);
  };
  Client.prototype.query = recorded as typeof query;
  return { transactions, [Symbol.dispose]: () => void (Client.prototype.query = query) };
}
