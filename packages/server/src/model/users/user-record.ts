import { hash } from 'node:crypto';

import { type Role, roles, type User as UserRecord, type UserId } from '@bellhop/protocol';

import type { Realm, User } from '../../engine/caller.ts';

const EVERYONE = 1;
const MEMBERS = 2;
const ADMINS = 3;
const MODERATORS = 5;

/** Stands for all users with a role, as they see others. No user has this id. */
export const anyoneWith = (role: Role) => ({ id: 0 as UserId, role });

/** Whether the viewer may see the real e-mail address of a user. */
export function showsEmail(user: User, viewer: Pick<User, 'id' | 'role'>): boolean {
  if (user.is_bot || viewer.id === user.id) return true;
  const visibility = user.settings['email_address_visibility'] ?? EVERYONE;
  const { role } = viewer;
  if (visibility === EVERYONE) return true;
  if (visibility === MEMBERS) return role <= roles.member;
  if (visibility === ADMINS) return role <= roles.admin;
  return visibility === MODERATORS && role <= roles.moderator;
}

/** The e-mail address in the API: the real one if everyone may see it, else a generated one. */
export function apiEmail(user: User, realm: Pick<Realm, 'url'>): string {
  const open = user.is_bot || (user.settings['email_address_visibility'] ?? EVERYONE) === EVERYONE;
  return open ? user.delivery_email : generatedAddress(user.id, realm);
}

/** The address in the API of a user whose real one is not for everyone. */
export const generatedAddress = (id: number, realm: Pick<Realm, 'url'>): string =>
  `user${id}@${new URL(realm.url).hostname}`;

/**
 * Below this path, an uploaded avatar is at `<realm ID>/<user ID>.png`, the larger one at
 * `<realm ID>/<user ID>-medium.png`: clients of the public API derive the second from the first.
 */
export const AVATARS_PATH = '/user_avatars/';
const GRAVATAR = 'https://secure.gravatar.com/avatar/';

/** The uploaded avatar on this server, else the Gravatar picture of the user's API address. */
export function avatarUrl(user: User, realm: Pick<Realm, 'url'>): string {
  if (user.avatar_source === 'U')
    return `${realm.url}${AVATARS_PATH}${user.realm_id}/${user.id}.png?version=${user.avatar_version}`;
  return gravatarUrl(apiEmail(user, realm), user.avatar_version);
}

/** The picture that Gravatar has or makes for an address. */
export function gravatarUrl(email: string, version = 1): string {
  return `${GRAVATAR}${hash('md5', email.toLowerCase())}?d=identicon&version=${version}`;
}

/** The address of the larger picture, 500 pixels wide. */
export const mediumUrl = (url: string): string =>
  isGravatar(url) ? `${url}&s=500` : url.replace('.png?', '-medium.png?');

/** The avatar of a user as `realm_user` events show it. */
export const avatarFields = (user: User, realm: Pick<Realm, 'url'>) => ({
  avatar_url: avatarUrl(user, realm),
  avatar_url_medium: mediumUrl(avatarUrl(user, realm)),
  avatar_source: user.avatar_source,
  avatar_version: user.avatar_version,
});

export const isGravatar = (url: string): boolean => url.startsWith(GRAVATAR);

/** Whether a client that sees the API address of the user can compute their avatar. */
export const isAvatarComputable = (user: User, realm: Pick<Realm, 'url'>): boolean =>
  user.avatar_source === 'G' && apiEmail(user, realm) === user.delivery_email;

interface RecordOptions {
  readonly realm: Pick<Realm, 'url'>;
  readonly viewer: Pick<User, 'id' | 'role'>;
  readonly client_gravatar?: boolean;
}

/** A user as the API shows them to a viewer; `date_joined` is cut to the minute. */
export const userRecord = (user: User, options: RecordOptions): UserRecord => ({
  ...listedRecord(user, options),
  is_active: user.is_active,
});

/** The record of a user for a list that says by itself whether its users are active. */
export function listedRecord(
  user: User,
  { realm, viewer, client_gravatar = false }: RecordOptions,
): Omit<UserRecord, 'is_active'> {
  const seesEmail = showsEmail(user, viewer);
  const computable = client_gravatar && seesEmail && isAvatarComputable(user, realm);
  return {
    user_id: user.id,
    email: apiEmail(user, realm),
    delivery_email: seesEmail ? user.delivery_email : null,
    full_name: user.full_name,
    date_joined: `${user.date_joined.toISOString().slice(0, 16)}+00:00`,
    is_owner: user.role === roles.owner,
    is_admin: user.role <= roles.admin,
    is_guest: user.role === roles.guest,
    is_bot: user.is_bot,
    is_imported_stub: false,
    role: user.role,
    timezone: user.timezone,
    avatar_url: computable ? null : avatarUrl(user, realm),
    avatar_version: user.avatar_version,
    ...(user.bot_type === null ? {} : { bot_type: user.bot_type, bot_owner_id: user.bot_owner_id }),
    ...(user.is_system_bot ? { is_system_bot: true } : {}),
  };
}
