import type { App } from '../../engine/app.ts';
import type { LockedChange } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { requireRoomForBot } from '../../model/bots/access.ts';
import { freeName } from '../../model/bots/free-name.ts';
import { setReceiving } from '../../model/messages/read/set-receiving.ts';
import * as users from '../../model/users/queries.ts';
import { renewApiKey } from '../accounts/renew-api-key.ts';
import { emitListedSettings, type SettingEvent } from '../user-events/emit-listed-settings.ts';
import { emitPeerChange } from '../user-events/emit-peer-change.ts';
import { changingUser } from '../user-events/emit-user-changes.ts';
import { changingBot } from './changing-bot.ts';

interface BotToReactivate {
  readonly realm: Realm;
  readonly bot: User;
  /** The administrator. */
  readonly caller: User;
}

/**
 * Reactivates a bot. Without an active owner it gets the caller as its owner, and with them a new API
 * key. Throws BAD_REQUEST if its name is in use or its owner has too many bots.
 */
export async function reactivateBot(
  app: App,
  change: Pick<
    LockedChange<'realm_bot' | 'realm_user' | 'subscription' | SettingEvent>,
    'db' | 'emit' | 'endLogins' | 'afterEvents'
  >,
  { realm, bot, caller }: BotToReactivate,
): Promise<void> {
  const { db } = change;
  await freeName(db, bot, bot.full_name);
  const former =
    bot.bot_owner_id === null ? undefined : await users.byId(db, realm.id, bot.bot_owner_id);
  const owner = former?.is_active ? former : caller;
  await requireRoomForBot(db, owner, app.config.maxBotsPerUser);
  await changingBot(change, { realm, secrets: app.secrets, bot }, () =>
    changingUser(change, { realm, user: bot }, async () => {
      await users.update(db, bot, { is_active: true, bot_owner_id: owner.id });
      await setReceiving(change, bot, true);
      if (owner.id !== bot.bot_owner_id) await renewApiKey(app, change, bot);
    }),
  );
  await emitPeerChange(change, 'peer_add', bot);
  await emitListedSettings(change, { realm, user: bot });
  // Nodes know it as deactivated.
  await change.endLogins(bot);
}
