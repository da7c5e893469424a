import { badRequest, roles, type UserSettingName } from '@bellhop/protocol';

import type { Db, Tx } from '../../engine/call.ts';
import type { Actor, User } from '../../engine/caller.ts';
import type { Handlers } from '../../engine/resource.ts';
import * as consoleSessions from '../../model/console-sessions/queries.ts';
import * as drafts from '../../model/drafts/queries.ts';
import * as passwordResets from '../../model/password-resets/queries.ts';
import { settingsOf } from '../../model/realms/realm-settings.ts';
import { requireLanguage, requireTimezone } from '../../model/settings/locale.ts';
import { changesOf, type SettingChange } from '../../model/settings/setting-changes.ts';
import { personName } from '../../model/users/person-details.ts';
import * as users from '../../model/users/queries.ts';
import { settingsOfUser } from '../../model/users/user-settings.ts';
import { emitInherited } from '../channels/subscribe/emit-inherited.ts';
import { requestEmailChange } from '../email-changes/request-email-change.ts';
import { hidePresence } from '../presence/record-presence.ts';
import { changingProfile } from '../user-events/emit-user-changes.ts';
import { emitSetting } from './emit-setting.ts';
import { newPasswordHash } from './new-password-hash.ts';

/** The part of the call that all paths of the endpoint have in common. */
type SettingsCall = Pick<
  Parameters<Handlers<'settings'>['update']>[0],
  'app' | 'before' | 'params' | 'ip' | 'db' | 'change'
>;

/**
 * Changes the caller's settings, name and password. The API key stays as it is; a new password signs out
 * of the console everywhere. A new address has to be confirmed first.
 */
export async function updateSettings(call: SettingsCall): Promise<{}> {
  const { app, params, change } = call;
  const {
    full_name: asked,
    email,
    old_password = '',
    new_password,
    // Null, or the request was refused: no setting to store.
    target_users: _none,
    ...requested
  } = params;
  requireLanguage(requested.default_language);
  requireTimezone(requested.timezone);
  const password =
    new_password === undefined
      ? {}
      : {
          password_hash: await newPasswordHash(call, call.before.user, {
            old_password,
            new_password,
          }),
        };
  await change(async ({ db, emit, enqueueAll, actor, realm, user }) => {
    const changes = changesOf(settingsOfUser(user), requested);
    const full_name = await newOwnName(db, actor, asked);
    await changingProfile({ db, emit }, actor, async () => {
      await users.update(db, user, { full_name, ...password });
      await storeSettings(db, user, changes);
    });
    if (email !== undefined) await requestEmailChange({ db, enqueueAll }, actor, { app, email });
    for (const one of changes) emitSetting(emit, { user, realm }, one);
    await emitInherited({ db, emit }, user, changes);
    // Clients keep their own copies of the drafts: no event removes them.
    if (changes.some(turnsOff('enable_drafts_synchronization'))) await drafts.removeAll(db, user);
    if (changes.some(turnsOff('presence_enabled'))) await hidePresence({ db, emit }, actor);
    if (new_password !== undefined) {
      await consoleSessions.removeOfUser(db, user);
      await passwordResets.remove(db, user);
    }
    app.users.forget(db, user.id);
  });
  return {};
}

const turnsOff =
  (name: UserSettingName) =>
  ({ property, value }: SettingChange<UserSettingName>): boolean =>
    property === name && value === false;

async function storeSettings(
  tx: Tx,
  user: User,
  changes: readonly SettingChange<UserSettingName>[],
): Promise<void> {
  const values = Object.fromEntries(changes.map(({ property, value }) => [property, value]));
  const { timezone, ...settings } = values;
  await users.update(tx, user, {
    ...(timezone === undefined ? {} : { timezone: String(timezone) }),
    settings: JSON.stringify({ ...user.settings, ...settings }),
  });
}

/**
 * The name that a user gives themselves; the present one if none is given. Throws BAD_REQUEST for a
 * bad name, one in use, or a user who may not change it.
 */
async function newOwnName(
  db: Db,
  { realm, user }: Actor,
  name: string | undefined,
): Promise<string> {
  if (name === undefined || name.trim() === user.full_name) return user.full_name;
  if (settingsOf(realm).name_changes_disabled && user.role > roles.admin)
    throw badRequest('Name changes are disabled in this organization.');
  return personName(db, realm, { name, own: user.id });
}
