import type { Database } from '@bellhop/postgres';
import { roles } from '@bellhop/protocol';
import type { Config } from '@bellhop/server';
import {
  createRealm,
  createUser,
  newSecret,
  secretsOf,
  type Tables,
} from '@bellhop/server/provision';

import { firstUserDefaults } from './first-user-defaults.ts';

interface FirstOwner {
  readonly email: string;
  readonly full_name: string;
  readonly realm: string;
}

/** Creates the default realm and its owner if there is no realm, and prints the owner's secrets. */
export async function ensureRealm(
  db: Database<Tables>,
  config: Config,
  { email, full_name, realm }: FirstOwner,
): Promise<void> {
  const known = await db.kysely.selectFrom('realm_name').select('id').limit(1).executeTakeFirst();
  if (known) return;
  const secrets = secretsOf(config.secret);
  const password = newSecret(20);
  const externalHost = new URL(config.externalUrl).hostname;
  const { api_key } = await db.transaction(async (tx) => {
    const id = await createRealm(
      tx,
      { secrets, externalHost },
      { subdomain: '', name: realm, user_defaults: firstUserDefaults },
    );
    const owner = { email, full_name, role: roles.owner, password, manages_accounts: true };
    return createUser(tx, { realm: { id }, secrets }, owner);
  });
  // Standard output has the log.
  console.error(
    `Created the realm "${realm}" with its owner ${email}. Shown once: password ${password}, API key ${api_key}`,
  );
  console.error(`Sign in at ${config.externalUrl}/console/ to set it up`);
}
