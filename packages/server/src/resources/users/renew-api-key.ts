import type { App } from '../../engine/app.ts';
import type { Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { newSecret } from '../../engine/secrets.ts';
import * as queries from './queries.ts';

/**
 * Gives a user a new API key and returns it. The old one dies with the commit, and the event queues
 * it opened; `app.users.forgotten()` then says when it is dead on every node.
 */
export async function renewApiKey(app: App, tx: Tx, user: User): Promise<string> {
  const api_key = newSecret();
  await queries.update(tx, user, {
    api_key_mac: app.secrets.mac(api_key),
    api_key_sealed: app.secrets.seal(api_key),
  });
  await endLogins(app, tx, user);
  return api_key;
}

/** Whoever is logged in as this user has to log in again after the commit. */
export async function endLogins(app: App, tx: Tx, user: User): Promise<void> {
  await app.queues.removeAll(tx, user);
  app.users.forget(tx, user.id);
}
