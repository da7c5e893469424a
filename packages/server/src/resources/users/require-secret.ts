import type { Db } from '../../engine/call.ts';
import type { Secrets } from '../../engine/secrets.ts';
import * as queries from './queries.ts';

/** The stored API keys were encrypted with another secret than that of the configuration. */
export class WrongSecretError extends Error {
  constructor() {
    super(
      'BELLHOP_SECRET is not the secret with which the API keys in this database are encrypted. Set the one that the server had before, or when the backup was made: without it no key, password or webhook token of the database can be used',
    );
  }
}

/** Throws a WrongSecretError if a stored API key cannot be opened. */
export async function requireSecret(db: Db, secrets: Secrets): Promise<void> {
  const sealed = await queries.anySealedApiKey(db);
  if (!sealed) return;
  try {
    secrets.open(sealed);
  } catch {
    throw new WrongSecretError();
  }
}
