import { type InitialState, roles, type User as UserRecord } from '@bellhop/protocol';

import type { Realm, User } from '../../engine/caller.ts';
import type { StateCall, UserStateCall } from '../../engine/resource.ts';
import { admitsSpectators, isSpectator, userOrSpectator } from '../../engine/spectator.ts';
import { profiles } from '../../model/custom-profile-fields/queries.ts';
import { connectedSince } from '../../model/presence/queries.ts';
import { grantsRole } from '../../model/realms/permission-settings.ts';
import { groupsOf } from '../../model/user-groups/queries.ts';
import { visibleUsers } from '../../model/users/access.ts';
import * as queries from '../../model/users/queries.ts';
import { unknownListed, withoutAddress } from '../../model/users/unknown-user.ts';
import { apiEmail, avatarUrl, listedRecord, mediumUrl } from '../../model/users/user-record.ts';

/**
 * The users that the viewer may see, active and deactivated, and the system bots. Clients without
 * `user_list_incomplete` get the others as unknown users. Spectators get no addresses and time zones,
 * and of the join dates only the day.
 */
export async function usersState(call: StateCall) {
  const { db, realm, client_gravatar, params } = call;
  const viewer = userOrSpectator(call);
  const values = isSpectator(viewer) ? new Map() : await profiles(db, realm.id);
  const isIdle = await idleTest(call);
  const record = (other: User) => {
    const shown = isSpectator(viewer) ? withoutAddress(other) : other;
    // The viewer's own avatar is always an address, here as in their account.
    const computes = client_gravatar && other.id !== viewer.id;
    const whole = listedRecord(shown, { realm, viewer, client_gravatar: computes });
    const rest: ListedRecord = isIdle(other) ? withoutAvatar(whole) : whole;
    const listed = isSpectator(viewer) ? anonymous(rest) : rest;
    // With 10,000 users, each copy of a record takes a tenth of the time.
    return other.is_bot
      ? listed
      : Object.assign(listed, { profile_data: values.get(other.id) ?? {} });
  };
  const { seen, hidden } = await visibleUsers(db, { realm, viewer });
  const omits = isSpectator(viewer) || params.client_capabilities.user_list_incomplete;
  const unknown = omits ? [] : hidden.map((user) => unknownListed(user, realm));
  const active = seen.filter(({ is_active }) => is_active).map(record);
  const system = await queries.systemBots(db, realm.id);
  return {
    realm_users: unknown.length === 0 ? active : byId([...active, ...unknown]),
    realm_non_active_users: seen.filter(({ is_active }) => !is_active).map(record),
    cross_realm_bots: system.map(record),
  } satisfies InitialState;
}

const IDLE_SECONDS = 28 * 86_400;

/**
 * For a client with the capability `user_avatar_url_field_optional`: whether a person has not been
 * connected for four weeks. Their records have no `avatar_url`; such clients ask for it at
 * `GET /avatar/{user_id}` when they need it.
 */
async function idleTest({ db, realm, app, params }: StateCall): Promise<(user: User) => boolean> {
  if (!params.client_capabilities.user_avatar_url_field_optional) return () => false;
  const since = app.now() - IDLE_SECONDS;
  const connected = await connectedSince(db, realm.id, since);
  return ({ id, is_bot, date_joined }) =>
    !is_bot && date_joined.getTime() < since * 1000 && !connected.has(id);
}

type ListedRecord = Omit<UserRecord, 'is_active' | 'avatar_url' | 'timezone'> &
  Partial<Pick<UserRecord, 'avatar_url' | 'timezone'>>;

const withoutAvatar = ({ avatar_url: _told, ...record }: ListedRecord): ListedRecord => record;

const byId = <R extends { readonly user_id: number }>(records: readonly R[]): R[] =>
  records.toSorted((one, other) => one.user_id - other.user_id);

const anonymous = ({ timezone: _timezone, ...record }: ListedRecord) => ({
  ...record,
  delivery_email: null,
  date_joined: record.date_joined.slice(0, 10),
});

/** The viewer's own account and permissions of the realm. */
export async function ownState({ db, realm, user }: UserStateCall) {
  const groups = await groupsOf(db, user);
  const may = (setting: keyof Realm['group_settings']) =>
    groups.has(realm.group_settings[setting]) && grantsRole('realm', setting, user.role);
  const makesPublic = may('can_create_public_channel_group');
  const makesPrivate = may('can_create_private_channel_group');
  const makesWebPublic = admitsSpectators(realm) && may('can_create_web_public_channel_group');
  return {
    user_id: user.id,
    email: apiEmail(user, realm),
    delivery_email: user.delivery_email,
    full_name: user.full_name,
    avatar_source: user.avatar_source,
    // Always addresses: clients show them without looking for another way to the picture.
    avatar_url: avatarUrl(user, realm),
    avatar_url_medium: mediumUrl(avatarUrl(user, realm)),
    is_admin: user.role <= roles.admin,
    is_owner: user.role === roles.owner,
    is_moderator: user.role === roles.moderator,
    is_guest: user.role === roles.guest,
    can_create_streams: makesPublic || makesPrivate || makesWebPublic,
    can_create_public_streams: makesPublic,
    can_create_private_streams: makesPrivate,
    can_create_web_public_streams: makesWebPublic,
    can_invite_others_to_realm: may('can_invite_users_group'),
  } satisfies InitialState;
}
