import { badRequest, MAX_BOT_STORAGE } from '@bellhop/protocol';

import type { Handlers, Resource } from '../../engine/resource.ts';
import * as queries from '../../model/bot-storage/queries.ts';
import { requireRoom } from '../../model/require-room.ts';

const handlers: Handlers<'botStorage'> = {
  async put({ user, params, db }) {
    const size = await queries.put(db, user, params.storage);
    await requireRoom(db, 'bot_storage', { realm_id: user.realm_id, user_id: user.id });
    if (size > MAX_BOT_STORAGE)
      throw badRequest(
        `Request exceeds storage limit by ${size - MAX_BOT_STORAGE} characters. The limit is ${MAX_BOT_STORAGE} characters.`,
      );
    return {};
  },

  async get({ user, params, db }) {
    const keys = distinct(params.keys);
    const rows = await queries.get(db, user, keys);
    if (keys && rows.length < keys.length) throw noSuchKey();
    return { storage: Object.fromEntries(rows.map(({ key, value }) => [key, value])) };
  },

  async remove({ user, params, db }) {
    const keys = distinct(params.keys);
    const removed = await queries.remove(db, user, keys);
    if (keys && removed < keys.length) throw noSuchKey();
    return {};
  },
};

export const botStorage: Resource<'botStorage'> = { handlers };

const distinct = (keys: readonly string[] | null | undefined) =>
  keys ? [...new Set(keys)] : undefined;

const noSuchKey = () => badRequest('Key does not exist.');
