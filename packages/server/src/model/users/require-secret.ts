import type { Db } from '../../engine/call.ts';
import type { Secrets } from '../../engine/secrets.ts';
import * as queries from './queries.ts';

/** Throws a WrongSecretError if a stored API key cannot be opened. */
export async function requireSecret(db: Db, secrets: Secrets): Promise<void> {
  const sealed = await queries.anySealedApiKey(db);
  if (sealed) secrets.open(sealed);
}
