import { badRequest, MAX_BOT_STORAGE } from '@bellhop/protocol';

import type { Handlers, Resource } from '../../engine/resource.ts';
import * as queries from './queries.ts';

const handlers: Handlers<'botStorage'> = {
  async put({ user, params, db }) {
    const { storage } = params;
    for (const [key, value] of Object.entries(storage)) check(key, value);
    const size = await queries.put(db, user, storage);
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

function check(key: string, value: string): void {
  // Stored as UTF-8, lone surrogates become the same replacement character: two keys could become one.
  if (!key.isWellFormed() || !value.isWellFormed())
    throw badRequest('Keys and values must be well-formed Unicode.');
}
