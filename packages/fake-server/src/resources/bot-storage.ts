import { badRequest, MAX_BOT_STORAGE, MAX_BOT_STORAGE_KEY } from '@bellhop/protocol';

import type { Resource } from '../call.ts';

export const botStorage: Resource<'botStorage'> = {
  put({ user, params }) {
    const entries = Object.entries(params.storage);
    if (entries.some(([key]) => key.length > MAX_BOT_STORAGE_KEY))
      throw badRequest(`A key has at most ${MAX_BOT_STORAGE_KEY} characters.`);
    const next = new Map([...user.storage, ...entries]);
    let size = -MAX_BOT_STORAGE;
    for (const [key, value] of next) size += key.length + value.length;
    if (size > 0)
      throw badRequest(
        `Request exceeds storage limit by ${size} characters. The limit is ${MAX_BOT_STORAGE} characters.`,
      );
    for (const [key, value] of entries) user.storage.set(key, value);
    return {};
  },

  get({ user, params }) {
    const keys = existing(user.storage, params.keys);
    return { storage: Object.fromEntries(keys.map((key) => [key, user.storage.get(key) ?? ''])) };
  },

  remove({ user, params }) {
    for (const key of existing(user.storage, params.keys)) user.storage.delete(key);
    return {};
  },
};

/** The given keys, or all keys if none are given. Throws BAD_REQUEST for a missing key. */
function existing(
  storage: ReadonlyMap<string, string>,
  keys: readonly string[] | null | undefined,
): readonly string[] {
  if (!keys) return [...storage.keys()];
  if (keys.some((key) => !storage.has(key))) throw badRequest('Key does not exist.');
  return [...new Set(keys)];
}
