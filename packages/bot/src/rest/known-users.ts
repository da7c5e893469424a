import type { User, UserId } from '@bellhop/protocol';

const FRESH_MS = 60_000;
const MOST = 1000;

interface Known {
  readonly user: Promise<User>;
  readonly until: number;
}

/** Remembers users for a minute, a thousand at most; one that could not be had is asked for again. */
export function knownUsers(
  ask: (id: UserId) => Promise<User>,
  now: () => number,
): (id: UserId) => Promise<User> {
  const known = new Map<UserId, Known>();
  return (id) => {
    const held = known.get(id);
    if (held && held.until > now()) return held.user;
    known.delete(id);
    const [oldest] = known.keys();
    if (known.size >= MOST && oldest !== undefined) known.delete(oldest);
    const user = ask(id);
    known.set(id, { user, until: now() + FRESH_MS });
    user.catch(() => {
      if (known.get(id)?.user === user) known.delete(id);
    });
    return user;
  };
}
