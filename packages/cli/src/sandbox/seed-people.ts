import { UserError } from '@bellhop/bot-cli/command-line';
import type { Database } from '@bellhop/postgres';
import { type Role, roles, type UserId } from '@bellhop/protocol';
import {
  createRealm,
  createUser,
  newSecret,
  secretsOf,
  type Tables,
} from '@bellhop/server/provision';

import { firstUserDefaults } from '../server/first-user-defaults.ts';
import type { SandboxState } from './sandbox-state.ts';

export interface SandboxUser {
  readonly user_id: UserId;
  readonly email: string;
  readonly full_name: string;
  readonly role: Role;
  readonly password: string;
  readonly api_key: string;
}

/** One person per role. */
const people = [
  { name: 'Olivia Owner', role: roles.owner },
  { name: 'Adam Administrator', role: roles.admin },
  { name: 'Mona Moderator', role: roles.moderator },
  { name: 'Max Member', role: roles.member },
  { name: 'Gina Guest', role: roles.guest },
] as const;
const DOMAIN = 'bellhop.example';

interface SeedOptions {
  readonly db: Database<Tables>;
  readonly state: SandboxState;
  readonly externalUrl: string;
}

/**
 * Creates the realm and its people at the first start. Finds them later, by their order: names, addresses
 * and roles may have changed. Those who were deactivated are left out.
 */
export async function seedPeople({ db, state, externalUrl }: SeedOptions): Promise<SandboxUser[]> {
  const secrets = secretsOf(state.secret);
  const known = await db.kysely.selectFrom('realm_name').select('id').executeTakeFirst();
  if (!known) {
    const externalHost = new URL(externalUrl).hostname;
    for (const { name } of people) state.passwords[emailOf(name)] = newSecret(12);
    await db.transaction(async (tx) => {
      const realm = {
        subdomain: '',
        name: 'Bellhop sandbox',
        description: 'A place to try things',
        user_defaults: firstUserDefaults,
      };
      const id = await createRealm(tx, { secrets, externalHost }, realm);
      for (const { name, role } of people) {
        const email = emailOf(name);
        const password = state.passwords[email] ?? '';
        await createUser(
          tx,
          { realm: { id }, secrets },
          { email, full_name: name, role, password, manages_accounts: role === roles.owner },
        );
      }
    });
  }
  const rows = await db.kysely
    .selectFrom('realm_user')
    .select(['id', 'delivery_email', 'full_name', 'role', 'is_active', 'api_key_sealed'])
    .where('is_bot', '=', false)
    .orderBy('id')
    .limit(people.length)
    .execute();
  return rows.flatMap(({ id, delivery_email, full_name, role, is_active, api_key_sealed }, index) =>
    is_active
      ? {
          user_id: id,
          email: delivery_email,
          full_name,
          role,
          password: state.passwords[emailOf(people[index]?.name ?? '')] ?? '',
          api_key: openApiKey(secrets, api_key_sealed),
        }
      : [],
  );
}

/** Decrypts an API key. Throws a UserError if the database and the secrets are of two sandboxes. */
function openApiKey(secrets: ReturnType<typeof secretsOf>, sealed: Buffer): string {
  try {
    return secrets.open(sealed);
  } catch {
    throw new UserError(
      'This database belongs to a sandbox with another data directory: name that directory with BELLHOP_DATA_DIR, or use an empty database.',
    );
  }
}

const emailOf = (name: string) => `${name.split(' ')[0]?.toLowerCase()}@${DOMAIN}`;
