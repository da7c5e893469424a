import type { Resource } from '../../engine/call.ts';
import * as messages from '../messages/queries.ts';
import { accessibleUsers } from './access.ts';
import { avatarUrl, userRecord } from './user-record.ts';

export const users: Resource<'users'> = {
  async me({ user, realm, db }) {
    return {
      ...userRecord(user, { realm, viewer: user }),
      avatar_url: avatarUrl(user, realm),
      max_message_id: await messages.newestReceived(db, user),
    };
  },

  async list({ user, realm, params, db }) {
    const { client_gravatar, user_ids } = params;
    const seen = await accessibleUsers(db, { realm, viewer: user });
    const asked = user_ids && new Set(user_ids);
    const members = seen.filter(({ id }) => !asked || asked.has(id));
    return {
      members: members.map((member) => ({
        ...userRecord(member, { realm, viewer: user, client_gravatar }),
        ...(params.include_custom_profile_fields && !member.is_bot ? { profile_data: {} } : {}),
      })),
    };
  },
};
