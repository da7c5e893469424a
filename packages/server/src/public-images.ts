import type { Download, Exchange } from '@bellhop/http';

import type { App } from './engine/app.ts';
import { isEmojiPath } from './resources/realm-emoji/emoji-paths.ts';
import { findEmojiImage } from './resources/realm-emoji/find-emoji-image.ts';
import { findAvatar } from './resources/users/find-avatar.ts';

/** Finds an image below /user_avatars/, where clients look for those of users and custom emoji. */
export function findPublicImage(app: App): (exchange: Exchange) => Promise<Download> {
  const avatar = findAvatar(app);
  const emoji = findEmojiImage(app);
  return (exchange) => (isEmojiPath(exchange.path) ? emoji(exchange) : avatar(exchange));
}
