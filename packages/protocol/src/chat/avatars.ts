import { z } from 'zod';

import { AvatarUrl, Url } from '../values/fields.ts';
import { UserId } from '../values/ids.ts';
import { MAX_AVATAR_MIB, MAX_EMAIL_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import type { Permission } from '../wire/permission.ts';
import { resource } from '../wire/resource.ts';
import { RealmBotEvent } from './bots/bot-events.ts';
import { RealmUserEvent } from './users/user-events.ts';

const MAX_PIXELS = 2048;

const picture = {
  access: 'optional',
  redirects: true,
  params: {
    user_id: z.union([UserId, z.string().max(MAX_EMAIL_LENGTH)]).meta({
      description: 'The ID of the user, or for users with a login also the e-mail address',
    }),
    s: z.int().min(1).max(MAX_PIXELS).optional().meta({
      description: 'The width of a Gravatar picture in pixels',
    }),
    version: z.int().nonnegative().optional().meta({
      description: 'Has no effect on the answer: it tells caches that the picture has changed',
    }),
  },
  result: { url: Url },
} as const;
const description =
  'Redirects to the uploaded picture or to Gravatar. An unknown user and a user whom you may not see have the Gravatar picture of nobody. Also served without /api/v1.';
const changed = {
  access: 'user',
  result: { avatar_url: AvatarUrl },
  emits: [RealmUserEvent, RealmBotEvent],
} as const;

/** The pictures of users. */
const changeAvatar: readonly Permission[] = [
  { to: 'change your avatar', grants: ['admin', 'realm.avatar_changes_disabled=false'] },
];

export const avatars = resource({
  endpoints: {
    get: endpoint('GET /avatar/{user_id}', {
      summary: 'Get the avatar of a user',
      description,
      ...picture,
    }),

    medium: endpoint('GET /avatar/{user_id}/medium', {
      summary: 'Get the larger avatar of a user',
      description: `${description} The picture is 500 pixels wide.`,
      ...picture,
    }),

    set: endpoint('POST /users/me/avatar', {
      summary: 'Upload your own avatar',
      description: `A multipart form with one file: a PNG, JPEG, GIF, WebP or AVIF image of at most ${MAX_AVATAR_MIB} MiB. The server keeps a square cut from its middle in two sizes, 100 and 500 pixels wide, without metadata.`,
      fileLimit: MAX_AVATAR_MIB * 1_048_576,
      steps: true,
      locks: 'realm',
      permissions: changeAvatar,
      errors: ['BAD_IMAGE'],
      ...changed,
    }),

    remove: endpoint('DELETE /users/me/avatar', {
      summary: 'Remove your own avatar: Gravatar shows again',
      locks: 'realm',
      permissions: changeAvatar,
      ...changed,
    }),
  },
});
