import { z } from 'zod';

import { Markdown, Url } from '../values/fields.ts';
import { LinkifierId } from '../values/ids.ts';
import { endpoint } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import { resource, section, type StateOf } from '../wire/resource.ts';
import { changed } from './changed.ts';

/** Linkifiers that a realm may have at most: each is matched against every message. */
export const MAX_LINKIFIERS = 100;
export const MAX_LINKIFIER_PATTERN_LENGTH = 500;
export const MAX_URL_TEMPLATE_LENGTH = 2000;

/** Turns the text that matches a pattern into a link (spec, Linkifier). */
export const Linkifier = z
  .object({ id: LinkifierId, pattern: z.string(), url_template: Url })
  .meta({ id: 'Linkifier' });
export type Linkifier = z.output<typeof Linkifier>;

/** The longest text on which an administrator tries a linkifier. */
const MAX_TRIED_LENGTH = 1000;

/** A text that a linkifier turns into a link. `index`: where it begins, in UTF-16 units. */
export const LinkifierMatch = z
  .object({ index: z.int(), text: Markdown, url: Url })
  .meta({ id: 'LinkifierMatch' });
export type LinkifierMatch = z.output<typeof LinkifierMatch>;

/** The linkifiers of the realm changed. Carries all of them in their order. */
export const RealmLinkifiersEvent = z.object({
  type: z.literal('realm_linkifiers'),
  realm_linkifiers: z.array(Linkifier),
});

const state = {
  /** Empty without the client capability `linkifier_url_template`. */
  realm_linkifiers: section({ realm_linkifiers: z.array(Linkifier) }, { access: 'optional' }),
  /** Linkifiers in the format before feature level 176: always empty. */
  realm_filters: section({ realm_filters: z.array(z.unknown()) }, { access: 'optional' }),
};

const applyLinkifiers = (
  known: StateOf<typeof state>,
  { realm_linkifiers }: z.output<typeof RealmLinkifiersEvent>,
): StateOf<typeof state> => changed(known, 'realm_linkifiers', () => realm_linkifiers);

const rule = {
  pattern: z.string().max(MAX_LINKIFIER_PATTERN_LENGTH).meta({
    description:
      'A regular expression in the syntax of RE2, without look-around and back-references',
    example: '#(?P<id>[0-9]+)',
  }),
  url_template: Url.max(MAX_URL_TEMPLATE_LENGTH).meta({
    description: 'An RFC 6570 URL template with the named groups of the pattern as variables',
    example: 'https://issues.example.com/{id}',
  }),
};
const description =
  'A fault of the pattern or the template is explained in `errors`: lists of texts by parameter, under `__all__` for both together.';

export const linkifiers = resource({
  endpoints: {
    list: endpoint('GET /realm/linkifiers', {
      summary: 'Get all linkifiers',
      description: 'In the order in which they are applied.',
      since: 176,
      access: 'user',
      result: { linkifiers: z.array(Linkifier) },
    }),

    test: endpoint('GET /realm/linkifiers/test', {
      summary: 'Try a linkifier on a text',
      description:
        'Nothing is stored. `problem` says why the linkifier could not be added or updated; then there are no matches.',
      access: 'admin',
      params: {
        ...rule,
        text: Markdown.max(MAX_TRIED_LENGTH),
        filter_id: LinkifierId.optional().meta({ description: 'The linkifier to update' }),
      },
      result: { problem: z.string().nullable(), matches: z.array(LinkifierMatch) },
    }),

    add: endpoint('POST /realm/filters', {
      summary: 'Add a linkifier',
      description,
      access: 'admin',
      params: rule,
      result: { id: LinkifierId },
      emits: [RealmLinkifiersEvent],
    }),

    update: endpoint('PATCH /realm/filters/{filter_id}', {
      summary: 'Update a linkifier',
      description,
      since: 57,
      access: 'admin',
      params: { filter_id: LinkifierId, ...rule },
      emits: [RealmLinkifiersEvent],
    }),

    remove: endpoint('DELETE /realm/filters/{filter_id}', {
      summary: 'Remove a linkifier',
      access: 'admin',
      params: { filter_id: LinkifierId },
      emits: [RealmLinkifiersEvent],
    }),

    reorder: endpoint('PATCH /realm/linkifiers', {
      summary: 'Reorder the linkifiers',
      since: 178,
      access: 'admin',
      params: {
        ordered_linkifier_ids: z
          .array(LinkifierId)
          .max(MAX_LINKIFIERS)
          .meta({ description: 'The IDs of all linkifiers of the organization, each once' }),
      },
      emits: [RealmLinkifiersEvent],
    }),
  },
  events: [event(RealmLinkifiersEvent, applyLinkifiers)],
  state,
});
