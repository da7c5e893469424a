import type { Download, Exchange } from '@bellhop/http';
import { ApiError } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import { parseEmojiPath } from './emoji-paths.ts';
import * as queries from './queries.ts';

const noSuchEmoji = () => new ApiError('NOT_FOUND', { message: 'This emoji does not exist.' });

/**
 * Finds the image of a custom emoji, without a login. Guesses count towards the limit of the client's
 * address.
 */
export const findEmojiImage =
  (app: App) =>
  async (exchange: Exchange): Promise<Download> => {
    const lookUp = app.addressLimit.lookUpFor(exchange);
    const parsed = parseEmojiPath(exchange.path);
    const realm = await app.realms.atHost(exchange.host, lookUp);
    if (!realm.is_active) throw new ApiError('REALM_DEACTIVATED');
    if (!parsed || parsed.realm_id !== realm.id) throw noSuchEmoji();
    const { id, isStill, extension } = parsed;
    const found = await lookUp(() => queries.imageOf(app.db.kysely, realm.id, id));
    const bytes = isStill ? found?.still_bytes : found?.bytes;
    const type = isStill ? 'image/png' : found?.media_type;
    if (!bytes || type !== `image/${extension}`) throw noSuchEmoji();
    return {
      name: `emoji-${id}.${extension}`,
      type,
      isShown: true,
      size: bytes.length,
      // The image of an emoji never changes.
      tag: String(id),
      read: async function* read(from, to) {
        yield bytes.subarray(from, to);
      },
    };
  };
