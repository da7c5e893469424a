import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type PostgresServer, startPostgres } from '@bellhop/postgres';
import { Client } from 'pg';

/** A PostgreSQL on a directory that is removed with it. */
export async function temporaryPostgres(stack: AsyncDisposableStack): Promise<PostgresServer> {
  const directory = stack.use(await mkdtempDisposable(join(tmpdir(), 'bellhop-bench-')));
  return stack.use(await startPostgres({ dataDir: directory.path }));
}

/** Creates a database on the server of `url`; returns the URL of the database. */
export async function createDatabase(url: string, name: string): Promise<string> {
  await runStatement(url, `create database ${name}`);
  return databaseUrl(url, name);
}

export function databaseUrl(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

export async function runStatement(url: string, text: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query(text);
  await client.end();
}
