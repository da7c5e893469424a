import { ApiError } from '@bellhop/protocol';

import type { Tx } from '../../engine/call.ts';
import type { User } from '../../engine/caller.ts';
import { imageType } from '../../images/image-type.ts';
import * as queries from './queries.ts';

/**
 * Stores an uploaded avatar as it is, in place of an earlier one. Returns the user with the new
 * version. The caller emits the events. Throws BAD_IMAGE.
 */
export async function storeAvatar(tx: Tx, user: User, image: Uint8Array): Promise<User> {
  const media_type = imageType(image);
  if (!media_type) throw new ApiError('BAD_IMAGE');
  const changed = { avatar_source: 'U', avatar_version: user.avatar_version + 1 } as const;
  const version = changed.avatar_version;
  await queries.update(tx, user, changed);
  await queries.replaceAvatar(tx, user, { version, media_type, bytes: Buffer.from(image) });
  return { ...user, ...changed };
}
