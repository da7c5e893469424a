import { z } from 'zod';

import { Name } from '../values/fields.ts';
import { endpoint, withSlashes } from '../wire/endpoint.ts';
import { event } from '../wire/event.ts';
import type { Permission } from '../wire/permission.ts';
import { resource, section, type StateOf } from '../wire/resource.ts';
import { changed } from './changed.ts';

/** Navigation views that a user may have at most. */
export const MAX_NAVIGATION_VIEWS = 500;
const MAX_FRAGMENT_LENGTH = 1000;
const MAX_NAME_LENGTH = 100;

/** A view in the navigation menu of a user (spec, Other shapes). */
export const NavigationView = z
  .object({
    fragment: z.string(),
    is_pinned: z.boolean(),
    /** Null for built-in views. */
    name: Name.nullable(),
  })
  .meta({ id: 'NavigationView' });
export type NavigationView = z.output<typeof NavigationView>;

/** The user added, changed or removed a navigation view. */
export const NavigationViewEvent = z.discriminatedUnion('op', [
  z.object({
    type: z.literal('navigation_view'),
    op: z.literal('add'),
    navigation_view: NavigationView,
  }),
  z.object({
    type: z.literal('navigation_view'),
    op: z.literal('update'),
    fragment: z.string(),
    /** The properties that changed. */
    data: z.object({ is_pinned: z.boolean().optional(), name: Name.optional() }),
  }),
  z.object({ type: z.literal('navigation_view'), op: z.literal('remove'), fragment: z.string() }),
]);

const state = { navigation_views: section({ navigation_views: z.array(NavigationView) }) };

const applyNavigationView = (
  known: StateOf<typeof state>,
  event: z.output<typeof NavigationViewEvent>,
): StateOf<typeof state> =>
  changed(known, 'navigation_views', (views) => {
    if (event.op === 'add') return [...views, event.navigation_view];
    if (event.op === 'remove') return views.filter(({ fragment }) => fragment !== event.fragment);
    return views.map((view) =>
      view.fragment === event.fragment
        ? {
            ...view,
            is_pinned: event.data.is_pinned ?? view.is_pinned,
            name: event.data.name ?? view.name,
          }
        : view,
    );
  });

const fragment = z.string().min(1).max(MAX_FRAGMENT_LENGTH).meta({
  description: 'The URL hash of the view, its identifier',
  example: 'narrow/is/mentioned',
});
const name = z
  .string()
  .trim()
  .min(1)
  .max(MAX_NAME_LENGTH)
  .optional()
  .meta({ description: 'Required for custom views; built-in views have none' });

const ownView: Permission = { to: 'change the view', grants: ['own'], refusal: 'NOT_FOUND' };

export const navigationViews = resource({
  endpoints: {
    list: endpoint('GET /navigation_views', {
      summary: 'Get your navigation views',
      since: 390,
      access: 'user',
      result: { navigation_views: z.array(NavigationView) },
    }),

    add: endpoint('POST /navigation_views', {
      summary: 'Add a navigation view',
      since: 390,
      access: 'user',
      params: { fragment, is_pinned: z.boolean(), name },
      emits: [NavigationViewEvent],
    }),

    update: endpoint('PATCH /navigation_views/{fragment}', {
      summary: 'Update a navigation view',
      since: 390,
      access: 'user',
      permissions: [ownView],
      params: {
        fragment: withSlashes(fragment),
        is_pinned: z.boolean().nullish().meta({ description: 'Whether the menu shows the view' }),
        name,
      },
      errors: ['NOT_FOUND'],
      emits: [NavigationViewEvent],
    }),

    remove: endpoint('DELETE /navigation_views/{fragment}', {
      summary: 'Remove a navigation view',
      since: 390,
      access: 'user',
      permissions: [ownView],
      params: { fragment: withSlashes(fragment) },
      errors: ['NOT_FOUND'],
      emits: [NavigationViewEvent],
    }),
  },
  events: [event(NavigationViewEvent, applyNavigationView)],
  state,
});
