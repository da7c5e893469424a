import type { Download, Exchange } from '@bellhop/http';

import type { App } from './engine/app.ts';
import { isEmojiPath } from './model/realm-emoji/emoji-paths.ts';
import { findEmojiImage } from './model/realm-emoji/find-emoji-image.ts';
import { findRealmImage } from './model/realm-images/find-realm-image.ts';
import { isRealmImagePath } from './model/realm-images/image-urls.ts';
import { findAvatar } from './model/users/find-avatar.ts';

/** Finds an image below /user_avatars/, where clients look for those of users, custom emoji and the realm. */
export function findPublicImage(app: App): (exchange: Exchange) => Promise<Download> {
  const avatar = findAvatar(app);
  const emoji = findEmojiImage(app);
  const realmImage = findRealmImage(app);
  return (exchange) => {
    if (isEmojiPath(exchange.path)) return emoji(exchange);
    return isRealmImagePath(exchange.path) ? realmImage(exchange) : avatar(exchange);
  };
}
