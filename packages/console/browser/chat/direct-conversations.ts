import type { InitialState } from '@bellhop/protocol';

import { nameOfUser } from './names.ts';

interface DirectConversation {
  /** The other participants in ascending order; the user alone for notes to self. */
  readonly users: readonly number[];
  readonly name: string;
}

/** The direct conversations of a user, newest first, then the people and bots without one. */
export function directConversations(
  state: InitialState,
  self: number,
): readonly DirectConversation[] {
  const recent = (state.recent_private_conversations ?? [])
    .toSorted((a, b) => b.max_message_id - a.max_message_id)
    .map(({ user_ids }) => (user_ids.length > 0 ? user_ids : [self]).toSorted((a, b) => a - b));
  const known = new Set(recent.map((users) => users.join(',')));
  const others = (state.realm_users ?? [])
    .filter(({ user_id }) => !known.has(String(user_id)))
    .toSorted((a, b) => a.full_name.localeCompare(b.full_name))
    .map(({ user_id }) => [user_id as number]);
  return [...recent, ...others].map((users) => ({
    users,
    name:
      users.length === 1 && users[0] === self
        ? 'Notes to yourself'
        : users.map((id) => nameOfUser(state, id)).join(', '),
  }));
}
