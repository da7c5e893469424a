import { z } from 'zod';

import { EmojiName, Name } from '../values/fields.ts';
import { UserId } from '../values/ids.ts';
import { MAX_WORD_LENGTH } from '../values/limits.ts';
import { endpoint } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import { resource, section, type StateOf } from '../wire/resource.ts';
import { changed } from './changed.ts';

/** Custom emoji that a realm may have at most, deactivated ones included. */
export const MAX_REALM_EMOJI = 10_000;
const MAX_EMOJI_MIB = 5;

/** A custom emoji. Its ID is the `emoji_code` of reactions with it. */
export const RealmEmoji = z
  .object({
    id: z.string(),
    name: Name,
    source_url: z.string().meta({
      description: 'Path of the image, relative to the URL of the organization',
    }),
    still_url: z
      .string()
      .nullable()
      .meta({ description: 'Path of a picture that does not move; null if the image does not' }),
    deactivated: z.boolean().meta({ description: 'Old messages and reactions still show it' }),
    author_id: UserId,
  })
  .meta({ id: 'RealmEmoji' });
export type RealmEmoji = z.output<typeof RealmEmoji>;

const EmojiById = z
  .record(z.string(), RealmEmoji)
  .meta({ description: 'By ID, deactivated custom emoji included' });

/** The custom emoji of the realm changed. Carries all of them. */
export const RealmEmojiEvent = z.object({
  type: z.literal('realm_emoji'),
  op: z.literal('update'),
  realm_emoji: EmojiById,
});

const state = { realm_emoji: section({ realm_emoji: EmojiById }, { access: 'optional' }) };

const applyEmoji = (
  known: StateOf<typeof state>,
  { realm_emoji }: z.output<typeof RealmEmojiEvent>,
): StateOf<typeof state> => changed(known, 'realm_emoji', () => realm_emoji);

const emoji_name = EmojiName.max(MAX_WORD_LENGTH);

export const realmEmoji = resource({
  endpoints: {
    list: endpoint('GET /realm/emoji', {
      summary: 'Get the custom emoji',
      access: 'user',
      result: { emoji: EmojiById },
    }),

    upload: endpoint('POST /realm/emoji/{emoji_name}', {
      summary: 'Upload a custom emoji',
      description: `A multipart form with one file: a PNG, JPEG, GIF or WebP image of at most ${MAX_EMOJI_MIB} MiB. Requires \`can_add_custom_emoji_group\`. Only administrators may give it the name of a Unicode emoji, which it then replaces.`,
      access: 'member',
      locks: 'realm',
      params: {
        emoji_name: emoji_name.meta({
          description:
            'Lower-case English letters, digits, dashes and underscores; the last character is a letter or digit. A space becomes an underscore',
          example: 'party_parrot',
        }),
      },
      permissions: [
        { to: 'add a custom emoji', grants: ['realm.can_add_custom_emoji_group'], bots: false },
        {
          to: 'replace a Unicode emoji',
          where: 'a Unicode emoji has the name',
          grants: ['admin'],
        },
      ],
      fileLimit: MAX_EMOJI_MIB * 1_048_576,
      errors: ['BAD_IMAGE'],
      emits: [RealmEmojiEvent],
      steps: true,
    }),

    remove: endpoint('DELETE /realm/emoji/{emoji_name}', {
      summary: 'Deactivate a custom emoji',
      description:
        'For administrators and the user who uploaded it. Old messages and reactions still show it, and its name becomes free.',
      access: 'member',
      locks: 'realm',
      permissions: [{ to: 'deactivate the emoji', grants: ['admin', 'own'] }],
      params: { emoji_name },
      emits: [RealmEmojiEvent],
    }),
  },
  events: [event(RealmEmojiEvent, applyEmoji)],
  state,
});
