import { z } from 'zod';

import { Name, Url } from '../values/fields.ts';
import { PlaygroundId } from '../values/ids.ts';
import { endpoint } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import { resource, section, type StateOf } from '../wire/resource.ts';
import { changed } from './changed.ts';
import { MAX_URL_TEMPLATE_LENGTH } from './linkifiers.ts';

/** Code playgrounds that a realm may have at most. */
export const MAX_PLAYGROUNDS = 500;
const MAX_NAME_LENGTH = 100;
const MAX_LANGUAGE_LENGTH = 40;

/** A site that runs the code blocks of a language (spec, Code playground). */
export const Playground = z
  .object({
    id: PlaygroundId,
    name: Name,
    highlighter_language: z.string(),
    /** The same as `highlighter_language`: the name that public clients read. */
    pygments_language: z.string(),
    url_template: Url,
  })
  .meta({ id: 'Playground' });
export type Playground = z.output<typeof Playground>;

/** The code playgrounds of the realm changed. Carries all of them. */
export const RealmPlaygroundsEvent = z.object({
  type: z.literal('realm_playgrounds'),
  realm_playgrounds: z.array(Playground),
});

const state = {
  realm_playgrounds: section({ realm_playgrounds: z.array(Playground) }, { access: 'optional' }),
};

const applyPlaygrounds = (
  known: StateOf<typeof state>,
  { realm_playgrounds }: z.output<typeof RealmPlaygroundsEvent>,
): StateOf<typeof state> => changed(known, 'realm_playgrounds', () => realm_playgrounds);

export const playgrounds = resource({
  endpoints: {
    add: endpoint('POST /realm/playgrounds', {
      summary: 'Add a code playground',
      since: 49,
      access: 'admin',
      params: {
        name: Name.trim().min(1).max(MAX_NAME_LENGTH),
        highlighter_language: z.string().trim().min(1).max(MAX_LANGUAGE_LENGTH).meta({
          description: 'Letters, digits, spaces and the characters `_+-./#`',
          example: 'python',
        }),
        url_template: Url.max(MAX_URL_TEMPLATE_LENGTH).meta({
          description: 'An RFC 6570 URL template with the one variable `code`',
          example: 'https://play.example.com/?code={code}',
        }),
      },
      aliases: { pygments_language: 'highlighter_language' },
      result: { id: PlaygroundId },
      emits: [RealmPlaygroundsEvent],
    }),

    remove: endpoint('DELETE /realm/playgrounds/{playground_id}', {
      summary: 'Remove a code playground',
      since: 49,
      access: 'admin',
      params: { playground_id: PlaygroundId },
      emits: [RealmPlaygroundsEvent],
    }),
  },
  events: [event(RealmPlaygroundsEvent, applyPlaygrounds)],
  state,
});
