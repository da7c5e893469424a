import { badRequest } from '@bellhop/protocol';

import type { Handlers, Resource } from '../../engine/resource.ts';
import { requireMayChangeAvatar } from '../../model/avatars/access.ts';
import { findPicture } from '../../model/avatars/find-picture.ts';
import { avatarPictures } from '../../model/users/avatar-pictures.ts';
import { changeAvatar } from './change-avatar.ts';

const handlers: Handlers<'avatars'> = {
  get: async (call) => ({ url: await findPicture(call, 'small') }),
  medium: async (call) => ({ url: await findPicture(call, 'medium') }),

  async set({ user, realm, app, file, change }) {
    requireMayChangeAvatar(realm, user);
    if (!file) throw badRequest('You must upload exactly one avatar.');
    const pictures = await avatarPictures(app, user, file);
    return change(async ({ db, emit }) => {
      const picture = { realm, user, pictures };
      return { avatar_url: await changeAvatar(app, { db, emit }, picture) };
    });
  },

  async remove({ user, realm, app, db, emit }) {
    return { avatar_url: await changeAvatar(app, { db, emit }, { realm, user, pictures: null }) };
  },
};

export const avatars: Resource<'avatars'> = { handlers };
