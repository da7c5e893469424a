import {
  PRESENCE_HISTORY_DAYS,
  PRESENCE_OFFLINE_SECONDS,
  PRESENCE_PING_SECONDS,
  type UserId,
} from '@bellhop/protocol';

import { EVERYBODY } from '../../engine/audience.ts';
import type { Change } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import * as queries from '../../model/presence/queries.ts';
import { timesOf } from '../../model/presence/recent-presences.ts';
import { settingsOf } from '../../model/realms/realm-settings.ts';
import { apiEmail } from '../../model/users/user-record.ts';
import { settingOf } from '../../model/users/user-settings.ts';

/** A presence that was stored so recently is not stored again: pings of several clients overlap. */
const MIN_AGE_SECONDS = PRESENCE_PING_SECONDS - 5;
const DAY = 86_400;

interface Ping {
  readonly realm: Realm;
  readonly user: User;
  readonly isActive: boolean;
  /** UNIX time in seconds. */
  readonly now: number;
}

/**
 * Stores that a user is connected or active. Tells the others if the user was offline, or idle and is
 * active now. No-op with `presence_enabled` off and in realms with `presence_disabled`.
 */
export async function recordPresence(
  { db, emit }: Pick<Change<'presence'>, 'db' | 'emit'>,
  { realm, user, isActive, now }: Ping,
): Promise<void> {
  if (settingsOf(realm).presence_disabled) return;
  if (!settingOf('presence_enabled', { user })) return;
  const before = await queries.ofUser(db, user);
  const isOlder = (at: number | undefined, seconds: number) =>
    at === undefined || now - at > seconds;
  const setsActive = isActive && isOlder(before?.active_at, MIN_AGE_SECONDS);
  if (!setsActive && !isOlder(before?.connected_at, MIN_AGE_SECONDS)) return;
  const joined = Math.floor(user.date_joined.getTime() / 1000);
  const active_at = setsActive ? now : (before?.active_at ?? Math.min(joined, now));
  const row = { active_at, connected_at: now };
  await queries.store(db, user, row);
  const wasOffline = isOlder(before?.connected_at, PRESENCE_OFFLINE_SECONDS);
  const wasIdle = isOlder(before?.active_at, PRESENCE_OFFLINE_SECONDS);
  if (!wasOffline && !(setsActive && wasIdle)) return;
  emitPresence({ emit }, { realm, user, now, row });
}

/** How long ago a user who hides their presence was last seen, if they are seen now. */
const HIDDEN_SECONDS = PRESENCE_OFFLINE_SECONDS + 2 * PRESENCE_PING_SECONDS;

/** Makes a user who turned `presence_enabled` off look offline at once. */
export async function hidePresence(
  change: Pick<Change<'presence'>, 'db' | 'emit'>,
  { realm, user, now }: Omit<Ping, 'isActive'>,
): Promise<void> {
  const before = await queries.ofUser(change.db, user);
  const hidden = now - HIDDEN_SECONDS;
  if (!before || before.connected_at <= hidden) return;
  const row = { active_at: Math.min(before.active_at, hidden), connected_at: hidden };
  await queries.store(change.db, user, row);
  if (!settingsOf(realm).presence_disabled) emitPresence(change, { realm, user, now, row });
}

interface SeenUser extends Pick<Ping, 'user' | 'now'> {
  readonly realm: Pick<Realm, 'id' | 'url' | 'settings'>;
}

/** Emits the presence of a user, as `POST /register` returns it, to users who did not see them before. */
export async function emitKnownPresence(
  { db, emit }: Pick<Change<'presence'>, 'db' | 'emit'>,
  { realm, user, now }: SeenUser,
  audience: readonly UserId[],
): Promise<void> {
  if (!user.is_active || settingsOf(realm).presence_disabled) return;
  const row = await queries.ofUser(db, user);
  if (row && row.connected_at >= now - PRESENCE_HISTORY_DAYS * DAY)
    emitPresence({ emit }, { realm, user, now, row }, audience);
}

function emitPresence(
  { emit }: Pick<Change<'presence'>, 'emit'>,
  { realm, user, now, row }: SeenUser & { readonly row: queries.PresenceRow },
  audience: readonly number[] = EVERYBODY,
): void {
  emit(
    {
      type: 'presence',
      user_id: user.id,
      email: apiEmail(user, realm),
      server_timestamp: now,
      times: timesOf(row),
    },
    audience,
  );
}
