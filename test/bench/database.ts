import { Client } from 'pg';

/** How transactions are made durable: with the group flush, or each by a COMMIT that waits. */
export type Commit = 'group' | 'plain';

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
