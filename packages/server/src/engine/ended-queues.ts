import type { UserId } from '@bellhop/protocol';

import type { Tx } from './call.ts';

const ended = new WeakMap<Tx, Set<UserId>>();

/** Remembers that a transaction ends all queues of a user. */
export function rememberEnded(tx: Tx, user: UserId): void {
  const known = ended.get(tx);
  if (known) known.add(user);
  else ended.set(tx, new Set([user]));
}

/** The users whose queues a transaction ends. */
export const endedIn = (tx: Tx): readonly UserId[] => [...(ended.get(tx) ?? [])];
