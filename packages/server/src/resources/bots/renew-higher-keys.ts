import type { App } from '../../engine/app.ts';
import type { Change } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { readsSecrets } from '../../model/bots/access.ts';
import * as users from '../../model/users/queries.ts';
import { renewApiKey } from '../accounts/renew-api-key.ts';
import { changingBot } from './changing-bot.ts';

/** Gives new API keys to the bots that have a higher role than their owner now has, who knows the old keys. */
export async function renewHigherKeys(
  app: App,
  change: Pick<Change<'realm_bot'>, 'db' | 'emit' | 'endLogins'>,
  { realm, owner }: { readonly realm: Realm; readonly owner: User },
): Promise<void> {
  for (const bot of await users.botsOf(change.db, owner))
    if (!readsSecrets(owner, bot))
      await changingBot(change, { realm, secrets: app.secrets, bot }, () =>
        renewApiKey(app, change, bot),
      );
}
