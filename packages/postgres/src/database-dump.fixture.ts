import { setTimeout as wait } from 'node:timers/promises';

import { Client, DatabaseError } from 'pg';

import { testServerUrl } from './test-server.fixture.ts';

/** A copy of a database, as a dump is one. */
export interface DatabaseDump extends AsyncDisposable {
  /** Replaces the database, as dropping it and restoring the dump does. Its connections end. */
  readonly restore: () => Promise<void>;
}

/** Copies the database of a postgresql:// URL on the server of the tests. Its connections end. */
export async function dumpDatabase(url: string): Promise<DatabaseDump> {
  const name = new URL(url).pathname.slice(1);
  const dump = `${name}_dump`;
  const server = new Client(await testServerUrl());
  await server.connect();
  const copy = async (from: string, to: string) => {
    // Programs that run connect again at once.
    await server.query(`alter database ${from} with allow_connections false`);
    for (;;) {
      const endAll = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1';
      await server.query(endAll, [from]);
      const error: unknown = await server
        .query(`create database ${to} template ${from} strategy file_copy`)
        .then(
          () => undefined,
          (cause: unknown) => cause,
        );
      if (error === undefined) break;
      if (!(error instanceof DatabaseError && error.code === '55006')) throw error;
      await wait(10);
    }
    await server.query(`alter database ${from} with allow_connections true`);
  };
  await copy(name, dump);
  return {
    restore: async () => {
      await server.query(`drop database ${name} with (force)`);
      await copy(dump, name);
    },
    [Symbol.asyncDispose]: async () => {
      await server.query(`drop database if exists ${dump} with (force)`);
      await server.end();
    },
  };
}
