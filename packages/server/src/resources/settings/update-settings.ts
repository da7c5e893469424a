import type { UserSettingName } from '@bellhop/protocol';

import type { Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import type { Handlers } from '../../engine/resource.ts';
import * as consoleSessions from '../console-sessions/queries.ts';
import * as drafts from '../drafts/queries.ts';
import { requestEmailChange } from '../email-changes/request-email-change.ts';
import { changingProfile } from '../users/emit-user-changes.ts';
import * as users from '../users/queries.ts';
import { settingsOfUser } from '../users/user-settings.ts';
import { newPasswordHash } from './change-password.ts';
import { requireLanguage, requireTimezone } from './check-settings.ts';
import { emitSetting } from './emit-setting.ts';
import { newOwnName } from './new-own-name.ts';
import { changesOf, type SettingChange } from './setting-changes.ts';

/** The part of the call that all paths of the endpoint have in common. */
type SettingsCall = Pick<
  Parameters<Handlers<'settings'>['update']>[0],
  'app' | 'user' | 'realm' | 'params' | 'ip' | 'db' | 'change'
>;

/**
 * Changes the caller's settings, name and password. The API key stays as it is; a new password signs out
 * of the console everywhere. A new address has to be confirmed first.
 */
export async function updateSettings(call: SettingsCall): Promise<{}> {
  const { app, realm, params, change } = call;
  const { full_name: asked, email, old_password = '', new_password, ...requested } = params;
  requireLanguage(requested.default_language);
  requireTimezone(requested.timezone);
  const password =
    new_password === undefined
      ? {}
      : { password_hash: await newPasswordHash(call, { old_password, new_password }) };
  await change(async ({ db, emit, enqueueAll }) => {
    await users.lock(db, call.user);
    const user = (await users.byId(db, realm.id, call.user.id)) ?? call.user;
    const changes = changesOf(settingsOfUser(user), requested);
    const full_name = await newOwnName(db, { realm, user }, asked);
    await changingProfile({ db, emit }, { realm, user }, async () => {
      await users.update(db, user, { full_name, ...password });
      await storeSettings(db, user, changes);
    });
    if (email !== undefined)
      await requestEmailChange({ db, enqueueAll }, { app, realm, user }, email);
    for (const one of changes) emitSetting(emit, { user, realm }, one);
    if (changes.some(isEndOfSynchronization)) await drafts.removeAll(db, user);
    if (new_password !== undefined) await consoleSessions.removeOfUser(db, user);
    app.users.forget(db, user.id);
  });
  return {};
}

/** Clients keep their own copies of the drafts: no event removes them. */
const isEndOfSynchronization = ({ property, value }: SettingChange<UserSettingName>) =>
  property === 'enable_drafts_synchronization' && value === false;

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
