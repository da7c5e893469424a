import { createTestDatabase, type TestDatabase } from '@bellhop/postgres/testing';
import {
  createRealm,
  createUser,
  secretsOf,
  serverMigrations,
  type Tables,
} from '@bellhop/server/provision';

import { stubVariables } from './run-bellhop.fixture.ts';

/** The database of a server with the default organization "Castle", whose owner is Ada (ada@chat.test). */
export interface Castle extends TestDatabase<Tables> {
  /** The variables of the server. They are set, with DATABASE_URL, until `vi.unstubAllEnvs()`. */
  readonly env: Readonly<Record<string, string>> & { readonly BELLHOP_SECRET: string };
  /** The API key of Ada. */
  readonly api_key: string;
}

/** Makes the database and sets the variables of its server; `further` are more of them, or others. */
export async function startCastle(further: Readonly<Record<string, string>> = {}): Promise<Castle> {
  const created = await createTestDatabase<Tables>({ migrations: serverMigrations });
  const env = {
    BELLHOP_SECRET: 'a secret for tests, and for tests only',
    BELLHOP_EXTERNAL_URL: 'http://127.0.0.1:4600',
    ...further,
  };
  stubVariables({ ...env, DATABASE_URL: created.url });
  const secrets = secretsOf(env.BELLHOP_SECRET);
  const externalHost = new URL(env.BELLHOP_EXTERNAL_URL).hostname;
  const { api_key } = await created.database.transaction(async (tx) => {
    const place = { secrets, externalHost };
    const id = await createRealm(tx, place, { subdomain: '', name: 'Castle' });
    const context = { realm: { id }, secrets };
    return createUser(tx, context, { email: 'ada@chat.test', full_name: 'Ada', role: 100 });
  });
  return { ...created, env, api_key };
}
