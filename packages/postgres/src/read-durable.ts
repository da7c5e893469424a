import type { Dialect, Kysely } from 'kysely';

import type { Connections } from './connections.ts';
import { DatabaseUnavailable } from './database-unavailable.ts';
import { kyselyOn } from './dialect.ts';
import type { SendOptions } from './send-query.ts';

interface Parts {
  readonly connections: Connections;
  readonly dialect: Dialect;
  readonly options: SendOptions;
}

/** Reads on connections to the server that the flush afterwards is sent to. */
export async function readDurable<Tables, Result>(
  { connections, dialect, options }: Parts,
  read: (db: Kysely<Tables>) => Promise<Result>,
  isEmpty: (result: Result) => boolean = () => false,
): Promise<Result> {
  const witness = await connections.witness();
  const take = () => connections.takeOn(witness);
  const result = await read(kyselyOn<Tables>({ dialect, take, options }));
  if (isEmpty(result)) return result;
  try {
    await witness.durable();
  } catch (cause) {
    throw new DatabaseUnavailable({ cause });
  }
  return result;
}
