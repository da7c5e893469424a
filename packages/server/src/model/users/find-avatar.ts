import type { Download, Exchange } from '@bellhop/http';
import { ApiError, type UserId } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import * as queries from './queries.ts';
import { AVATARS_PATH } from './user-record.ts';

const noSuchAvatar = () => new ApiError('NOT_FOUND', { message: 'This avatar does not exist.' });

/** `<realm ID>/<user ID>.png` or `-medium.png`, both IDs small enough for PostgreSQL. */
const ADDRESS = /^(\d{1,15})\/(\d{1,15})(-medium)?\.png$/;

/**
 * Finds the avatar of a request below /user_avatars/, without a login. Guesses count towards the limit
 * of the client's address.
 */
export const findAvatar =
  (app: App) =>
  async (exchange: Exchange): Promise<Download> => {
    const lookUp = app.addressLimit.lookUpFor(exchange);
    const [, realm_id, user_id, suffix] =
      ADDRESS.exec(exchange.path.slice(AVATARS_PATH.length)) ?? [];
    const realm = await app.realms.atHost(exchange.host, lookUp);
    if (!realm.is_active) throw new ApiError('REALM_DEACTIVATED');
    if (user_id === undefined || Number(realm_id) !== realm.id) throw noSuchAvatar();
    const id = Number(user_id) as UserId;
    const size = suffix === undefined ? 'small' : 'medium';
    const found = await lookUp(() =>
      queries.avatar(app.db.kysely, { id, realm_id: realm.id }, size),
    );
    if (!found) throw noSuchAvatar();
    const { bytes, version } = found;
    return {
      name: `avatar-${user_id}.png`,
      type: 'image/png',
      isShown: true,
      size: bytes.length,
      tag: `${version}-${size}`,
      read: async function* read(from, to) {
        yield bytes.subarray(from, to);
      },
    };
  };
