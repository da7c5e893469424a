import type { App } from '../../engine/app.ts';
import type { Change } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { newSecret } from '../../engine/secrets.ts';
import * as queries from '../../model/users/queries.ts';

/** Gives a user a new API key and returns it. The commit ends what logged in with the old one. */
export async function renewApiKey(
  { secrets }: Pick<App, 'secrets'>,
  { db, endLogins }: Pick<Change, 'db' | 'endLogins'>,
  user: User,
): Promise<string> {
  const api_key = newSecret();
  await queries.update(db, user, {
    api_key_mac: secrets.mac(api_key),
    api_key_sealed: secrets.seal(api_key),
  });
  await endLogins(user);
  return api_key;
}
