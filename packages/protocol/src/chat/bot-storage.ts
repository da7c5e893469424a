import { z } from 'zod';

import { limitedMap, MAX_CONTENT_LENGTH, MAX_LIST_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { resource } from '../wire/resource.ts';

/** Maximum characters of all keys and values of one account together. */
export const MAX_BOT_STORAGE = 10_000_000;
export const MAX_BOT_STORAGE_KEY = 500;

const Key = z.string().max(MAX_BOT_STORAGE_KEY);
const Keys = z
  .array(Key)
  .max(MAX_LIST_LENGTH)
  .nullish()
  .meta({ description: 'Only these keys; each must exist. All keys if omitted' });

const endpoints = {
  put: endpoint('PUT /bot_storage', {
    summary: 'Store values of your account',
    description: `For the state of a bot; a program that runs with the key of a person has a storage as well, which is that person's own. Existing keys get the new value; keys that are not named stay as they are. An account may store at most ${MAX_BOT_STORAGE} characters, keys included; a key has at most ${MAX_BOT_STORAGE_KEY}.`,
    access: 'user',
    params: { storage: limitedMap(Key, z.string().max(MAX_CONTENT_LENGTH), MAX_LIST_LENGTH) },
  }),

  get: endpoint('GET /bot_storage', {
    summary: 'Get the stored values of your account',
    access: 'user',
    params: { keys: Keys },
    result: { storage: z.record(z.string(), z.string()) },
  }),

  remove: endpoint('DELETE /bot_storage', {
    summary: 'Remove stored values of your account',
    access: 'user',
    params: { keys: Keys },
  }),
};

export const botStorage = resource({ endpoints });
