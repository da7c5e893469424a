import { badRequest, roles, type User } from '@bellhop/protocol';

import type { Account } from '../account.ts';
import type { Resource } from '../call.ts';
import { avatarUrl } from '../stored-message.ts';
import { accountById, accountOf, type World } from '../world.ts';

export const users: Resource<'users'> = {
  me: ({ user, world }) => ({
    ...userRecord(user),
    avatar_url: avatarUrl(user.email),
    max_message_id: newestReceived(world, user),
  }),

  get({ world, params }) {
    const { user_id } = params;
    const found =
      typeof user_id === 'number' ? accountById(world, user_id) : accountOf(world, user_id);
    if (!found) throw badRequest('No such user');
    return { user: userRecord(found, params) };
  },

  list({ world, params }) {
    const wanted = params.user_ids;
    const members = world.accounts.filter(
      ({ user_id }) => wanted === undefined || wanted.includes(user_id),
    );
    return { members: members.map((account) => userRecord(account, params)) };
  },
};

/** The id of the newest message that a user has received, or -1. */
export const newestReceived = ({ messages }: World, { user_id }: Account) =>
  messages.findLast(({ received }) => received.has(user_id))?.id ?? -1;

/** A user as the API shows it; `date_joined` is truncated to minutes. */
export function userRecord(account: Account, { client_gravatar = false } = {}): User {
  const { user_id, email, full_name, role, date_joined, bot } = account;
  return {
    user_id,
    email,
    delivery_email: email,
    full_name,
    date_joined: `${new Date(date_joined * 1000).toISOString().slice(0, 16)}+00:00`,
    is_active: true,
    is_owner: role === roles.owner,
    is_admin: role <= roles.admin,
    is_guest: role === roles.guest,
    is_bot: bot !== undefined,
    role,
    timezone: '',
    avatar_url: client_gravatar ? null : avatarUrl(email),
    avatar_version: 1,
    ...(bot ? { bot_type: bot.type, bot_owner_id: bot.owner.user_id } : {}),
  };
}
