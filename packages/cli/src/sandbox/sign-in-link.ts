import type { Database } from '@bellhop/postgres';
import { createSignInKey, type Tables } from '@bellhop/server/provision';

import type { SandboxUser } from './seed-people.ts';

/** A link that signs one browser in to the console as all of these users, once. */
export async function signInLink(
  db: Database<Tables>,
  baseUrl: string,
  people: readonly SandboxUser[],
): Promise<string> {
  const { id } = await db.kysely.selectFrom('realm').select('id').executeTakeFirstOrThrow();
  const users = people.map(({ user_id }) => ({ realm_id: id, id: user_id }));
  const now = Math.floor(Date.now() / 1000);
  const key = await db.transaction((tx) => createSignInKey(tx, users, now));
  return `${baseUrl}/console/#key=${key}`;
}
