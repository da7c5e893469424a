import type { z } from 'zod';

import type { StateOwner } from '../../wire/event.ts';
import { changed, withRow } from '../changed.ts';
import { roles } from './roles.ts';
import type { RealmUserEvent } from './user-events.ts';
import type { UserState } from './user-state.ts';
import { type Role, User } from './user.ts';

type Listed = NonNullable<UserState['realm_users']>[number];
type Person = Extract<z.output<typeof RealmUserEvent>, { op: 'update' }>['person'];

/**
 * Applies a `realm_user` event to the lists of users, and to the account of the owner of the state.
 */
export function applyRealmUser(
  state: UserState,
  event: z.output<typeof RealmUserEvent>,
  { user_id: self }: StateOwner,
): UserState {
  switch (event.op) {
    case 'add': {
      const { is_active, ...listed } = event.person;
      const list = is_active ? 'realm_users' : 'realm_non_active_users';
      return changed(without(state, listed.user_id), list, (users) =>
        withRow(users, 'user_id', listed),
      );
    }
    case 'remove':
      return without(state, event.person.user_id);
    case 'update': {
      const next = updated(state, event.person);
      return event.person.user_id === self ? withAccount(next, event.person) : next;
    }
  }
}

function without(state: UserState, id: number): UserState {
  const others = (users: Listed[]) => users.filter(({ user_id }) => user_id !== id);
  return changed(changed(state, 'realm_users', others), 'realm_non_active_users', others);
}

function updated(state: UserState, person: Person): UserState {
  const change = (users: Listed[]) =>
    users.map((user) => (user.user_id === person.user_id ? withChanges(user, person) : user));
  const next = changed(changed(state, 'realm_users', change), 'realm_non_active_users', change);
  if (person.is_active === undefined) return next;
  const user = [...(next.realm_users ?? []), ...(next.realm_non_active_users ?? [])].find(
    ({ user_id }) => user_id === person.user_id,
  );
  if (!user) return next;
  const list = person.is_active ? 'realm_users' : 'realm_non_active_users';
  return changed(without(next, person.user_id), list, (users) => withRow(users, 'user_id', user));
}

const recorded = new Set(Object.keys(User.omit({ is_active: true }).shape));

function withChanges(user: Listed, person: Person): Listed {
  const plain = Object.fromEntries(
    Object.entries(person).filter(([name, value]) => recorded.has(name) && value !== undefined),
  );
  const { role, new_email, custom_profile_field: field } = person;
  return {
    ...user,
    ...plain,
    ...(role === undefined ? {} : rolesOf(role)),
    ...(new_email === undefined ? {} : { email: new_email }),
    ...(field ? { profile_data: withField(user.profile_data ?? {}, field) } : {}),
  };
}

const rolesOf = (role: Role) => ({
  is_owner: role === roles.owner,
  is_admin: role <= roles.admin,
  is_guest: role === roles.guest,
});

type Field = NonNullable<Person['custom_profile_field']>;
function withField(
  data: NonNullable<Listed['profile_data']>,
  { id, value, rendered_value }: Field,
): NonNullable<Listed['profile_data']> {
  const { [String(id)]: _old, ...others } = data;
  if (value === null) return others;
  return {
    ...others,
    [id]: { value, ...(rendered_value === undefined ? {} : { rendered_value }) },
  };
}

/** Updates the owner's account, which is at the top level of the state, if it was fetched. */
function withAccount(state: UserState, person: Person): UserState {
  if (state.user_id === undefined) return state;
  const { role, new_email, email = new_email } = person;
  return {
    ...state,
    ...(person.full_name === undefined ? {} : { full_name: person.full_name }),
    ...(email === undefined ? {} : { email }),
    ...(person.delivery_email == null ? {} : { delivery_email: person.delivery_email }),
    ...(person.avatar_url == null ? {} : { avatar_url: person.avatar_url }),
    ...(person.avatar_url_medium == null ? {} : { avatar_url_medium: person.avatar_url_medium }),
    ...(person.avatar_source === undefined ? {} : { avatar_source: person.avatar_source }),
    ...(role === undefined ? {} : { ...rolesOf(role), is_moderator: role === roles.moderator }),
  };
}
