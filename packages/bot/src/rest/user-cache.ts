import type { UserId } from '@bellhop/protocol';

import type { UserProfile } from './user-profile.ts';

const MAX_AGE_MS = 60_000;
const MAX_USERS = 1000;

interface CachedUser {
  readonly user: Promise<UserProfile>;
  readonly expiresAt: number;
}

/** Caches up to 1000 users for a minute each. A failed lookup is not cached. */
export function userCache(
  fetchUser: (id: UserId) => Promise<UserProfile>,
  now: () => number,
): (id: UserId) => Promise<UserProfile> {
  const cache = new Map<UserId, CachedUser>();
  return (id) => {
    const cached = cache.get(id);
    if (cached && cached.expiresAt > now()) return cached.user;
    cache.delete(id);
    const [oldest] = cache.keys();
    if (cache.size >= MAX_USERS && oldest !== undefined) cache.delete(oldest);
    const user = fetchUser(id);
    cache.set(id, { user, expiresAt: now() + MAX_AGE_MS });
    user.catch(() => {
      if (cache.get(id)?.user === user) cache.delete(id);
    });
    return user;
  };
}
