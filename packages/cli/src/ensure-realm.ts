import type { Database } from '@bellhop/postgres';
import { roles } from '@bellhop/protocol';
import type { Config } from '@bellhop/server';
import { createRealm, createUser, secretsOf, type Tables } from '@bellhop/server/provision';

interface FirstOwner {
  readonly email: string;
  readonly full_name: string;
  readonly realm: string;
}

/** Makes the default realm and its owner, if there is no realm yet; prints the owner's API key. */
export async function ensureRealm(
  db: Database<Tables>,
  config: Config,
  { email, full_name, realm }: FirstOwner,
): Promise<void> {
  const known = await db.kysely.selectFrom('realm').select('id').limit(1).executeTakeFirst();
  if (known) return;
  const secrets = secretsOf(config.secret);
  const externalHost = new URL(config.externalUrl).hostname;
  const { api_key } = await db.transaction(async (tx) => {
    const id = await createRealm(tx, { secrets, externalHost }, { subdomain: '', name: realm });
    return createUser(tx, { realm: { id }, secrets }, { email, full_name, role: roles.owner });
  });
  console.log(`Made the realm "${realm}" with its owner ${email}. API key, shown once: ${api_key}`);
}
