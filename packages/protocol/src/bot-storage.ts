import { z } from 'zod';

import { endpoint } from './endpoint.ts';
import { resource } from './resource.ts';

/** Characters of keys and values together that one bot may keep. */
export const MAX_BOT_STORAGE = 10_000_000;
export const MAX_BOT_STORAGE_KEY = 500;

const Storage = z.record(z.string(), z.string());
const Keys = z
  .array(z.string())
  .nullish()
  .meta({ description: 'Only these; each must be there. All of them where left out' });

const endpoints = {
  put: endpoint('PUT /bot_storage', {
    summary: 'Store values for your bot',
    description: `Keys that are there get the new value, others stay. A bot keeps at most ${MAX_BOT_STORAGE} characters, keys included; a key has at most ${MAX_BOT_STORAGE_KEY}.`,
    access: 'bot',
    params: { storage: Storage },
  }),

  get: endpoint('GET /bot_storage', {
    summary: 'Get what your bot has stored',
    access: 'bot',
    params: { keys: Keys },
    result: { storage: Storage },
  }),

  remove: endpoint('DELETE /bot_storage', {
    summary: 'Remove what your bot has stored',
    access: 'bot',
    params: { keys: Keys },
  }),
};

export const botStorage = resource({ endpoints });
