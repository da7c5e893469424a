import type { PostgresServer } from '@bellhop/postgres';
import { Client } from 'pg';

import { type Checkout, thisCheckout } from '../checkout.ts';
import { createDatabase } from '../database.ts';
import type { Person, ServerReady } from '../send/serve.ts';
import { type Service, startService } from '../start-service.ts';

/** A server whose database was filled by SQL, and a connection to that database for the reference. */
export interface FilledServer {
  readonly service: Service<ServerReady>;
  readonly reader: Person;
  readonly db: Client;
  /** Sends one request as the reader. Returns the text of the response. */
  readonly ask: (route: string, fields?: Record<string, string>) => Promise<string>;
}

interface FilledServerOptions {
  readonly postgres: PostgresServer;
  /** The name of its database. */
  readonly name: string;
  /** Whose server it is. Default: this checkout's. */
  readonly checkout?: Checkout;
  /** Fills the database of realm 1; the reader is its first person. */
  readonly fill: (db: Client, reader: number) => Promise<void>;
}

export async function startFilledServer(
  stack: AsyncDisposableStack,
  { postgres, name, fill, checkout = thisCheckout }: FilledServerOptions,
): Promise<FilledServer> {
  const url = await createDatabase(postgres.url, name);
  const service = stack.use(
    await startService<ServerReady>(checkout, 'send/serve.ts', {
      DATABASE_URL: url,
      BENCH_PEOPLE: '["Reader"]',
    }),
  );
  const [reader] = service.ready.people;
  if (!reader) throw new Error('The realm has no people');
  const db = new Client(url);
  await db.connect();
  stack.defer(() => db.end());
  await fill(db, reader.id);
  const authorization = `Basic ${btoa(`${reader.email}:${reader.api_key}`)}`;
  const ask = async (route: string, fields: Record<string, string> = {}) => {
    const [method = 'GET', path = ''] = route.split(' ');
    const form = new URLSearchParams(fields);
    const isGet = method === 'GET';
    const address = `${service.ready.url}/api/v1${path}${isGet ? `?${form.toString()}` : ''}`;
    const response = await fetch(address, {
      method,
      headers: { authorization },
      ...(isGet ? {} : { body: form }),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${route}: ${text}`);
    return text;
  };
  return { service, reader, db, ask };
}
