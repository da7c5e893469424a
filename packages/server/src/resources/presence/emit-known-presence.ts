import { PRESENCE_HISTORY_DAYS, type UserId } from '@bellhop/protocol';

import type { Change } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import * as queries from '../../model/presence/queries.ts';
import { timesOf } from '../../model/presence/recent-presences.ts';
import { settingsOf } from '../../model/realms/realm-settings.ts';
import { apiEmail } from '../../model/users/user-record.ts';

const DAY = 86_400;

interface SeenUser {
  readonly realm: Pick<Realm, 'id' | 'url' | 'settings'>;
  readonly user: User;
  /** UNIX time in seconds. */
  readonly now: number;
}

/** Emits the presence of a user, as `POST /register` returns it, to users who did not see them before. */
export async function emitKnownPresence(
  { db, emit }: Pick<Change<'presence'>, 'db' | 'emit'>,
  { realm, user, now }: SeenUser,
  audience: readonly UserId[],
): Promise<void> {
  if (!user.is_active || settingsOf(realm).presence_disabled) return;
  const row = await queries.ofUser(db, user);
  if (!row || row.connected_at < now - PRESENCE_HISTORY_DAYS * DAY) return;
  const email = apiEmail(user, realm);
  const times = timesOf(row);
  emit({ type: 'presence', user_id: user.id, email, server_timestamp: now, times }, audience);
}
