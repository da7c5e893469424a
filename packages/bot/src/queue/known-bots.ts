import type { Registration } from '@bellhop/client';
import type { EventOf, UserId } from '@bellhop/protocol';

/** The users that are bots, kept current by events. A bot does not react to messages of bots. */
export interface KnownBots {
  has(id: UserId): boolean;
  reset(state: Registration): void;
  apply(event: EventOf<'realm_user'>): void;
}

export function knownBots(): KnownBots {
  const bots = new Set<UserId>();
  return {
    has: (id) => bots.has(id),
    reset({ realm_users = [], realm_non_active_users = [], cross_realm_bots = [] }) {
      bots.clear();
      for (const user of [...realm_users, ...realm_non_active_users, ...cross_realm_bots])
        if (user.is_bot) bots.add(user.user_id);
    },
    apply({ op, person }) {
      if (op === 'add' && person.is_bot) bots.add(person.user_id);
    },
  };
}
