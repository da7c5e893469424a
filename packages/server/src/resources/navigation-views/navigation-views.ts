import { badRequest, type NavigationView } from '@bellhop/protocol';

import type { Handlers, Resource } from '../../engine/resource.ts';
import * as queries from '../../model/navigation-views/queries.ts';
import { requireRoom } from '../../model/require-room.ts';
import * as users from '../../model/users/queries.ts';

/** Views that every client has. */
const builtInFragments: ReadonlySet<string> = new Set([
  'inbox',
  'recent',
  'feed',
  'drafts',
  'narrow/has/reaction/sender/me',
  'narrow/is/mentioned',
  'narrow/is/starred',
  'scheduled',
  'reminders',
]);

const handlers: Handlers<'navigationViews'> = {
  async list({ user, db }) {
    return { navigation_views: await queries.ofUser(db, user) };
  },

  async add({ user, params: { fragment, is_pinned, name = null }, db, emit }) {
    requireNameOfKind(fragment, name);
    if (!builtInFragments.has(fragment) && name === null)
      throw badRequest('Custom views must have a valid name');
    await users.lock(db, user);
    const views = await queries.ofUser(db, user);
    if (views.some((view) => view.fragment === fragment))
      throw badRequest('Navigation view already exists.');
    const navigation_view = { fragment, is_pinned, name };
    requireFreeName(navigation_view, views);
    await queries.insert(db, user, navigation_view);
    await requireRoom(db, 'navigation_view', { realm_id: user.realm_id, user_id: user.id });
    emit({ type: 'navigation_view', op: 'add', navigation_view }, [user.id]);
    return {};
  },

  async update({ user, params: { fragment, is_pinned, name }, db, emit, fail }) {
    requireNameOfKind(fragment, name ?? null);
    await users.lock(db, user);
    const views = await queries.ofUser(db, user);
    const current = views.find((view) => view.fragment === fragment);
    if (!current) return fail('NOT_FOUND', 'Navigation view does not exist.');
    const changed = {
      fragment,
      is_pinned: is_pinned ?? current.is_pinned,
      name: name ?? current.name,
    };
    requireFreeName(changed, views);
    const data = {
      ...(changed.is_pinned === current.is_pinned ? {} : { is_pinned: changed.is_pinned }),
      ...(changed.name === current.name || changed.name === null ? {} : { name: changed.name }),
    };
    if (Object.keys(data).length === 0) return {};
    await queries.update(db, user, changed);
    emit({ type: 'navigation_view', op: 'update', fragment, data }, [user.id]);
    return {};
  },

  async remove({ user, params: { fragment }, db, emit, fail }) {
    await users.lock(db, user);
    if (!(await queries.remove(db, user, fragment)))
      return fail('NOT_FOUND', 'Navigation view does not exist.');
    emit({ type: 'navigation_view', op: 'remove', fragment }, [user.id]);
    return {};
  },
};

export const navigationViews: Resource<'navigationViews'> = {
  handlers,
  state: {
    navigation_views: async ({ db, user }) => ({
      navigation_views: await queries.ofUser(db, user),
    }),
  },
};

/** Throws BAD_REQUEST for a name of a built-in view, also of one that the user has not stored. */
function requireNameOfKind(fragment: string, name: string | null): void {
  if (name !== null && builtInFragments.has(fragment))
    throw badRequest('Built-in views cannot have a custom name');
}

/** Throws BAD_REQUEST for a name that another view has. */
function requireFreeName({ fragment, name }: NavigationView, all: readonly NavigationView[]): void {
  if (name !== null && all.some((other) => other.name === name && other.fragment !== fragment))
    throw badRequest('Navigation view already exists.');
}
