import { names, type SpecSection } from './spec-section.ts';

export const organization: readonly SpecSection[] = [
  {
    section: 'Update the navigation view',
    route: 'PATCH /navigation_views/{fragment}',
    since: 390,
    parameters: names('fragment is_pinned name'),
    errors: [
      'BAD_REQUEST: Built-in views cannot have a custom name',
      'NOT_FOUND: Navigation view does not exist.',
    ],
    events: ['navigation_view'],
    rules: {
      'A fragment may contain slashes':
        'navigation-views/navigation-views.test.ts > is found by its fragment in the path as %s',
      'Only the user of a view may change it': 'test/permissions.test.ts > roles without a setting',
      'A built-in view takes no name':
        'navigation-views/navigation-views.test.ts > a built-in view gets no name by an update',
      'The other clients of the user get the change':
        'navigation-views/navigation-views.test.ts > reaches the other clients of its user, and nobody else',
    },
  },
  {
    section: 'Add a linkifier',
    route: 'POST /realm/filters',
    parameters: names('pattern url_template'),
    events: ['realm_linkifiers'],
    rules: {
      'Only clients with linkifier_url_template get linkifiers and their events':
        'linkifiers/linkifiers.test.ts > is in the initial state and in events only for clients with the capability',
      'Only administrators add linkifiers':
        'linkifiers/linkifiers.test.ts > is refused to moderators',
      'Named groups of the pattern are the variables of the template':
        'linkifiers/linkifiers.test.ts > turns matches in messages and topics into links',
    },
  },
  {
    section: 'Update a linkifier',
    route: 'PATCH /realm/filters/{filter_id}',
    since: 57,
    parameters: names('filter_id pattern url_template'),
    events: ['realm_linkifiers'],
    rules: {
      'A linkifier that does not exist is BAD_REQUEST':
        'linkifiers/linkifiers.test.ts > updating or removing an unknown linkifier is BAD_REQUEST',
      'Only administrators update linkifiers':
        'test/permissions.test.ts > admits and refuses callers as declared',
    },
  },
  {
    section: 'Add a code playground',
    route: 'POST /realm/playgrounds',
    since: 49,
    parameters: names('name highlighter_language url_template'),
    events: ['realm_playgrounds'],
    rules: {
      'A template has exactly one variable, `code`':
        'playgrounds/playgrounds.test.ts > is refused with %j',
      'Only administrators add playgrounds':
        'playgrounds/playgrounds.test.ts > is refused to moderators',
    },
  },
];
