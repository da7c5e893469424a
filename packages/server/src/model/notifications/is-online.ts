import { PRESENCE_OFFLINE_SECONDS } from '@bellhop/protocol';

import type { Realm } from '../../engine/caller.ts';
import { settingsOf } from '../realms/realm-settings.ts';
import { settingOf } from '../users/user-settings.ts';
import type { NotifiableUser } from './queries.ts';

/**
 * Whether a user is online: a client of theirs gets messages, and they were active lately. A user whose
 * presence is not recorded is never online.
 */
export function isOnline(
  user: NotifiableUser,
  { realm, now }: { readonly realm: Pick<Realm, 'settings'>; readonly now: number },
): boolean {
  const { active_at, is_connected } = user;
  if (settingsOf(realm).presence_disabled) return false;
  if (!settingOf('presence_enabled', { user })) return false;
  return is_connected && active_at !== null && now - active_at <= PRESENCE_OFFLINE_SECONDS;
}
