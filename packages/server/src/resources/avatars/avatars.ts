import { badRequest } from '@bellhop/protocol';

import type { Handlers, Resource } from '../../engine/resource.ts';
import { requireMayChangeAvatar } from './access.ts';
import { changeAvatar } from './change-avatar.ts';
import { findPicture } from './find-picture.ts';

const handlers: Handlers<'avatars'> = {
  get: async (call) => ({ url: await findPicture(call, 'small') }),
  medium: async (call) => ({ url: await findPicture(call, 'medium') }),

  async set({ user, realm, app, file, db, emit }) {
    requireMayChangeAvatar(realm, user);
    if (!file) throw badRequest('You must upload exactly one avatar.');
    return { avatar_url: await changeAvatar(app, { db, emit }, { realm, user, image: file }) };
  },

  async remove({ user, realm, app, db, emit }) {
    requireMayChangeAvatar(realm, user);
    return { avatar_url: await changeAvatar(app, { db, emit }, { realm, user, image: null }) };
  },
};

export const avatars: Resource<'avatars'> = { handlers };
