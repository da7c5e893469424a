import { badRequest } from '@bellhop/protocol';

import type { Handlers, Resource } from '../../engine/resource.ts';
import { requireMayChangeAvatar } from '../../model/avatars/access.ts';
import { findPicture } from '../../model/avatars/find-picture.ts';
import { avatarPictures } from '../../model/users/avatar-pictures.ts';
import { changeAvatar } from './change-avatar.ts';

const handlers: Handlers<'avatars'> = {
  get: async (call) => ({ url: await findPicture(call, 'small') }),
  medium: async (call) => ({ url: await findPicture(call, 'medium') }),

  async set({ before, app, file, change }) {
    requireMayChangeAvatar(before.realm, before.user);
    if (!file) throw badRequest('You must upload exactly one avatar.');
    const pictures = await avatarPictures(app, before.user, file);
    return change(async (call) => ({ avatar_url: await changeAvatar(app, call, pictures) }));
  },

  remove: async (call) => ({ avatar_url: await changeAvatar(call.app, call, null) }),
};

export const avatars: Resource<'avatars'> = { handlers };
