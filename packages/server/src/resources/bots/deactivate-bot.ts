import type { App } from '../../engine/app.ts';
import type { LockedChange } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { setReceiving } from '../../model/messages/read/set-receiving.ts';
import * as users from '../../model/users/queries.ts';
import { emitListedSettings, type SettingEvent } from '../user-events/emit-listed-settings.ts';
import { emitPeerChange } from '../user-events/emit-peer-change.ts';
import { changingUser } from '../user-events/emit-user-changes.ts';
import { changingBot } from './changing-bot.ts';

type BotChange = Pick<
  LockedChange<'realm_bot' | 'realm_user' | 'subscription' | SettingEvent>,
  'db' | 'emit' | 'endLogins' | 'afterEvents'
>;

/** Deactivates an active bot: its API key, queues and webhook end, its subscriptions stay. */
export async function deactivateBot(
  app: App,
  change: BotChange,
  { realm, bot }: { realm: Realm; bot: User },
): Promise<void> {
  await changingBot(change, { realm, secrets: app.secrets, bot }, () =>
    changingUser(change, { realm, user: bot }, async () => {
      await emitPeerChange(change, 'peer_remove', bot);
      await users.update(change.db, bot, { is_active: false });
      await setReceiving(change, bot, false);
      await change.endLogins(bot);
    }),
  );
  await emitListedSettings(change, { realm, user: bot });
}
