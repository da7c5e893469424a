import type { Download, Exchange } from '@bellhop/http';
import { ApiError } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import { parseRealmImagePath } from './image-urls.ts';
import * as queries from './queries.ts';

const noSuchImage = () => new ApiError('NOT_FOUND', { message: 'This image does not exist.' });

/** Finds the icon or a logo of the realm, without a login. */
export const findRealmImage =
  (app: App) =>
  async (exchange: Exchange): Promise<Download> => {
    const lookUp = app.addressLimit.lookUpFor(exchange);
    const parsed = parseRealmImagePath(exchange.path);
    const realm = await app.realms.atHost(exchange.host, lookUp);
    if (!parsed || parsed.realm_id !== realm.id) throw noSuchImage();
    const { kind } = parsed;
    const found = await lookUp(() => queries.imageOf(app.db.kysely, realm.id, kind));
    const bytes = found?.bytes;
    if (!bytes) throw noSuchImage();
    return {
      name: `${kind}.png`,
      type: 'image/png',
      isShown: true,
      size: bytes.length,
      tag: String(found.version),
      read: async function* read(from, to) {
        yield bytes.subarray(from, to);
      },
    };
  };
