import { parseEnv } from 'node:util';

import { type BouncerTables, createBouncer, migrations, readConfig } from '@bellhop/bouncer';
import { listen } from '@bellhop/http';
import { createTestDatabase } from '@bellhop/postgres/testing';
import { pino } from 'pino';
import { vi } from 'vitest';

import { newSecrets } from '../secrets/new-secrets.ts';

/** A running bouncer that the operator's commands of this process ask. `env` adds to its environment. */
export async function startOperatedBouncer(env: Readonly<Record<string, string>> = {}) {
  await using ends = new AsyncDisposableStack();
  const created = ends.use(await createTestDatabase<BouncerTables>({ migrations }));
  const { database } = created;
  const secrets = { ...parseEnv(newSecrets('keys')), ...parseEnv(newSecrets('operator')), ...env };
  const bouncer = await createBouncer({
    database,
    config: readConfig(secrets),
    log: pino({ level: 'silent' }),
  });
  ends.defer(() => bouncer.stop());
  const listening = await listen(bouncer.listener);
  ends.defer(() => listening.stop(0));
  vi.stubEnv('BELLHOP_BOUNCER_URL', listening.url);
  vi.stubEnv('BELLHOP_BOUNCER_OPERATOR_TOKEN', secrets['BELLHOP_BOUNCER_OPERATOR_TOKEN']);
  ends.defer(() => {
    vi.unstubAllEnvs();
  });
  const all = ends.move();
  return {
    kysely: database.kysely,
    url: listening.url,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
