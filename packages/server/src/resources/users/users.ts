import { badRequest } from '@bellhop/protocol';

import type { Handlers, Resource } from '../../engine/resource.ts';
import { profiles } from '../../model/custom-profile-fields/queries.ts';
import { newestReceived } from '../../model/messages/state/queries.ts';
import { visibleUsers } from '../../model/users/access.ts';
import { unknownRecord } from '../../model/users/unknown-user.ts';
import { avatarUrl, userRecord } from '../../model/users/user-record.ts';
import { visibleUser } from '../../model/users/users-by-address.ts';
import { createPerson } from './create-person.ts';
import { deactivateSelf, deactivateUser } from './deactivate-user.ts';
import { erasePerson } from './erase-person.ts';
import { presentUser } from './present-user.ts';
import { reactivateUser } from './reactivate-user.ts';
import { updateUser } from './update-user.ts';
import { ownState, usersState } from './users-state.ts';

const handlers: Handlers<'users'> = {
  async me({ user, realm, db }) {
    return {
      ...userRecord(user, { realm, viewer: user }),
      avatar_url: avatarUrl(user, realm),
      ...(user.is_bot
        ? {}
        : { profile_data: (await profiles(db, realm.id, [user.id])).get(user.id) ?? {} }),
      max_message_id: await newestReceived(db, user),
    };
  },

  async get({ user: viewer, realm, params, db }) {
    const { user_id, client_gravatar, include_custom_profile_fields } = params;
    const found = await visibleUser(db, { realm, viewer }, user_id);
    if (!found) throw badRequest('No such user');
    const all = include_custom_profile_fields && (await profiles(db, realm.id, [found.id]));
    return {
      user: {
        ...userRecord(found, { realm, viewer, client_gravatar }),
        ...(all && !found.is_bot ? { profile_data: all.get(found.id) ?? {} } : {}),
      },
    };
  },

  async list({ user, realm, params, db }) {
    const { client_gravatar, user_ids } = params;
    const { seen, hidden } = await visibleUsers(db, { realm, viewer: user });
    const all = params.include_custom_profile_fields && (await profiles(db, realm.id));
    const asked = user_ids && new Set(user_ids);
    // A guest who asks for a user whom they may not see gets no record, as for a user who is missing.
    const strangers = asked ? [] : hidden;
    const members = [
      ...seen
        .filter(({ id }) => !asked || asked.has(id))
        .map((member) => ({
          ...userRecord(member, { realm, viewer: user, client_gravatar }),
          ...(all && !member.is_bot ? { profile_data: all.get(member.id) ?? {} } : {}),
        })),
      ...strangers.map((stranger) => {
        const { profile_data, ...record } = unknownRecord(stranger, realm);
        return { ...record, ...(all ? { profile_data } : {}) };
      }),
    ];
    return { members: members.toSorted((one, other) => one.user_id - other.user_id) };
  },

  create: createPerson,
  update: updateUser,
  deactivate: deactivateUser,
  deactivateSelf,
  reactivate: reactivateUser,
};

export const users: Resource<'users'> = {
  handlers,
  state: {
    realm_user: async ({ user, ...call }) => ({
      ...(await usersState({ ...call, user })),
      ...(user ? await ownState({ ...call, user }) : {}),
    }),
  },
  presenters: () => ({ realm_user: presentUser }),
  jobs: () => [erasePerson],
};
