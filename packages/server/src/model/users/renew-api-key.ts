import type { App } from '../../engine/app.ts';
import type { Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { newSecret } from '../../engine/secrets.ts';
import * as queries from './queries.ts';

/**
 * Gives a user a new API key and returns it. The commit ends the old key and all event queues of the
 * user; `app.users.forgotten()` resolves when the old key is invalid on every node.
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

/** Ends all event queues and cached logins of a user at the commit. */
export async function endLogins(app: App, tx: Tx, user: User): Promise<void> {
  await app.queues.removeAll(tx, user);
  app.users.forget(tx, user.id);
}
