import { legacyPresence, PRESENCE_HISTORY_DAYS, type PresenceTimes } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { settingsOf } from '../realms/realm-settings.ts';
import { visibleByIds } from '../users/access.ts';
import { apiEmail } from '../users/user-record.ts';
import * as queries from './queries.ts';

const DAY = 86_400;

interface PresenceRequest {
  readonly realm: Realm;
  readonly viewer: User;
  /** UNIX time in seconds. */
  readonly now: number;
  /** Default: two weeks. */
  readonly days?: number | null | undefined;
  /** Selects only changes after this update. Default -1: all. */
  readonly after?: number | undefined;
}
interface SeenPresence {
  readonly user: User;
  readonly times: PresenceTimes;
}
interface RecentPresences {
  readonly seen: readonly SeenPresence[];
  /** The number of the newest update among those of all users. */
  readonly newest: number;
}

/** The presence of the users whom the viewer may see. Empty in a realm with `presence_disabled`. */
export async function recentPresences(
  db: Db,
  { realm, viewer, now, days, after = -1 }: PresenceRequest,
): Promise<RecentPresences> {
  if (settingsOf(realm).presence_disabled) return { seen: [], newest: after };
  const since = Math.max(0, now - (days ?? PRESENCE_HISTORY_DAYS) * DAY);
  const rows = await queries.recent(db, realm.id, { since, after });
  const ids = rows.map(({ user_id }) => user_id);
  const visible = await visibleByIds(db, { realm, viewer }, ids);
  const byId = new Map(visible.map((user) => [user.id, user]));
  const seen = rows.flatMap((row) => {
    const user = byId.get(row.user_id);
    return user ? [{ user, times: timesOf(row) }] : [];
  });
  return {
    seen,
    newest: rows.reduce((last, { update_number }) => Math.max(last, update_number), after),
  };
}

/** Presences by user ID, in the modern format. */
export const modernPresences = (seen: readonly SeenPresence[]): Record<string, PresenceTimes> =>
  Object.fromEntries(seen.map(({ user, times }) => [String(user.id), times]));

/** Presences by the address in the API, in the older format. */
export const legacyPresences = (
  seen: readonly SeenPresence[],
  realm: Realm,
): Record<string, ReturnType<typeof legacyPresence>> =>
  Object.fromEntries(seen.map(({ user, times }) => [apiEmail(user, realm), legacyPresence(times)]));

export const timesOf = ({ active_at, connected_at }: queries.PresenceRow): PresenceTimes => ({
  active_timestamp: active_at,
  idle_timestamp: connected_at,
});
