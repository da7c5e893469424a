import { z } from 'zod';

import { MAX_LIST_LENGTH, MAX_NAME_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import { resource, section } from '../wire/resource.ts';
import { changed } from './changed.ts';

export const MAX_ALERT_WORD_LENGTH = 100;

/** Your alert words changed. The event has all of them. */
export const AlertWordsEvent = z.object({
  type: z.literal('alert_words'),
  alert_words: z.array(z.string()),
});

const alert_words = z
  .array(z.string().max(MAX_NAME_LENGTH))
  .max(MAX_LIST_LENGTH)
  .meta({ description: 'Words or phrases. Letter case makes no difference' });
const result = { alert_words: z.array(z.string()) };

export const alertWords = resource({
  endpoints: {
    list: endpoint('GET /users/me/alert_words', {
      summary: 'Get your alert words',
      access: 'user',
      result,
    }),

    add: endpoint('POST /users/me/alert_words', {
      summary: 'Add alert words',
      description: `New and edited messages that contain one get the flag \`has_alert_word\`. A word has at most ${MAX_ALERT_WORD_LENGTH} characters.`,
      access: 'user',
      params: { alert_words },
      result,
      emits: [AlertWordsEvent],
    }),

    remove: endpoint('DELETE /users/me/alert_words', {
      summary: 'Remove alert words',
      access: 'user',
      params: { alert_words },
      result,
      emits: [AlertWordsEvent],
    }),
  },
  events: [
    event(
      AlertWordsEvent,
      (state: { alert_words?: string[] | undefined }, { alert_words: words }) =>
        changed(state, 'alert_words', () => words),
    ),
  ],
  state: { alert_words: section({ alert_words: z.array(z.string()) }) },
});
