import { Client } from 'pg';

interface RecordedStatements extends Disposable {
  /** The statements of the transactions that this process has committed since, from BEGIN to COMMIT. */
  readonly transactions: readonly (readonly string[])[];
}
type Query = (this: Client, ...args: [string | { readonly text: string }]) => unknown;

/** Records the transactions of all connections of this process, until it is disposed of. */
export function recordStatements(): RecordedStatements {
  const open = new WeakMap<Client, string[]>();
  const transactions: string[][] = [];
  const query = Reflect.get(Client.prototype, 'query') as Query;
  const recorded: Query = function (...args) {
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
  Reflect.set(Client.prototype, 'query', recorded);
  return {
    transactions,
    [Symbol.dispose]: () => void Reflect.set(Client.prototype, 'query', query),
  };
}
