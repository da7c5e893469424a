import type { App } from '../../engine/app.ts';
import type { LockedChange } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import type { Handlers } from '../../engine/resource.ts';
import { enqueueMails } from '../../mail/send-mail.ts';
import * as consoleSessions from '../../model/console-sessions/queries.ts';
import * as emailChanges from '../../model/email-changes/queries.ts';
import * as invites from '../../model/invites/queries.ts';
import { setReceiving } from '../../model/messages/read/set-receiving.ts';
import * as passwordResets from '../../model/password-resets/queries.ts';
import * as presence from '../../model/presence/queries.ts';
import { deactivationMail } from '../../model/users/deactivation-mail.ts';
import {
  personToManage,
  requireMayDeactivate,
  requireMayLeave,
} from '../../model/users/manage-access.ts';
import * as queries from '../../model/users/queries.ts';
import { deactivateBot } from '../bots/deactivate-bot.ts';
import { removeDevicesOfUser } from '../devices/end-devices.ts';
import { emitInvitesChanged } from '../invites/emit-invites-changed.ts';
import { emitListedSettings, type SettingEvent } from '../user-events/emit-listed-settings.ts';
import { emitPeerChange } from '../user-events/emit-peer-change.ts';
import { changingUser } from '../user-events/emit-user-changes.ts';

type ActivityChange = Pick<
  LockedChange<'realm_bot' | 'realm_user' | 'subscription' | 'invites_changed' | SettingEvent>,
  'db' | 'emit' | 'endLogins' | 'afterEvents'
>;

/** `DELETE /users/{user_id}` (spec, Deactivate a user). No-op for a deactivated user. */
export const deactivateUser: Handlers<'users'>['deactivate'] = async (call) => {
  const { app, realm, user: caller, params, db } = call;
  const comment = params.deactivation_notification_comment;
  const user = await personToManage(db, caller, params.user_id);
  if (!user.is_active) return {};
  await requireMayDeactivate(db, caller, user);
  await deactivatePerson(app, call, { realm, user });
  if (comment !== undefined)
    await enqueueMails(call, { app, realm }, [
      deactivationMail({ realm, user, by: caller, comment }),
    ]);
  return {};
};

/** `DELETE /users/me`. */
export const deactivateSelf: Handlers<'users'>['deactivateSelf'] = async (call) => {
  const { user, realm, app } = call;
  await requireMayLeave(call.db, user);
  await deactivatePerson(app, call, { realm, user });
  return {};
};

/**
 * Ends the queues, console sessions, push devices, links in mails, presence and invitations of a person,
 * and deactivates their bots. Subscriptions and groups stay, for a reactivation. The API key stays so
 * that its clients are told USER_DEACTIVATED; the reactivation replaces it.
 */
export async function deactivatePerson(
  app: App,
  change: ActivityChange,
  { realm, user }: { realm: Realm; user: User },
): Promise<void> {
  const { db } = change;
  for (const bot of await queries.botsOf(db, user))
    if (bot.is_active) await deactivateBot(app, change, { realm, bot });
  await changingUser(change, { realm, user }, async () => {
    await emitPeerChange(change, 'peer_remove', user);
    await queries.update(db, user, { is_active: false });
    await setReceiving(change, user, false);
    await removeDevicesOfUser(db, user);
    await presence.remove(db, user);
    await change.endLogins(user);
    await consoleSessions.removeOfUser(db, user);
    await emailChanges.remove(db, user);
    await passwordResets.remove(db, user);
  });
  await emitListedSettings(change, { realm, user });
  if (await invites.removeOfInviter(db, user)) await emitInvitesChanged(change, realm, user.id);
}
