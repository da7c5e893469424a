import { type Endpoint, type ErrorCode, type Permission, roles } from '@bellhop/protocol';
import type { Sample } from '@bellhop/server/contract-fixtures';
import type { TestChat } from '@bellhop/server/testing';
import type { z } from 'zod';

import type { CallerKind, ChatCaller } from './chat-callers.ts';

/** The error that `access` of the contract gives a caller. Undefined if it admits the caller. */
export function accessRefusal(
  { access, route }: Endpoint,
  kind: CallerKind,
  { role = roles.guest, isBot = false }: ChatCaller,
): ErrorCode | undefined {
  if (access === 'anyone') return undefined;
  if (kind === 'nobody') return access === 'optional' ? undefined : 'UNAUTHORIZED';
  if (kind.includes('key')) return 'UNAUTHORIZED';
  if (kind === 'a deactivated user') return 'USER_DEACTIVATED';
  if (kind === 'an incoming webhook bot')
    return route === 'POST /messages' ? undefined : 'UNAUTHORIZED';
  if (access === 'human') return isBot ? 'BAD_REQUEST' : undefined;
  if (access === 'bot') return isBot ? undefined : 'BAD_REQUEST';
  if (access === 'member') return role > roles.member ? 'BAD_REQUEST' : undefined;
  const needed = { moderator: roles.moderator, admin: roles.admin, owner: roles.owner };
  const limit = access in needed ? needed[access as keyof typeof needed] : roles.guest;
  return role > limit ? 'UNAUTHORIZED_PRINCIPAL' : undefined;
}

/** Whether a request with these parameters requires the permission, wherever it is sent. */
export function isRequired(
  { when, where }: Permission,
  { params }: Endpoint,
  sample: Sample,
): boolean {
  if (where !== undefined) return false;
  if (when === undefined) return true;
  const [name = '', value] = when.split('=');
  const sent = sample[name];
  if (value === undefined) return sent !== undefined && sent !== '[]';
  if (sent !== undefined) return sent === value;
  const parsed = (params.shape[name] as z.ZodType | undefined)?.safeParse(undefined);
  return String(parsed?.data) === value;
}

/** A grant to everybody while a true or false setting of the realm is off: its name. */
export const flagOf = (grant: string): string | undefined =>
  /^realm\.(\w+)=false$/.exec(grant)?.[1];

/** The permission settings of the server by grant: `realm.can_create_groups`. */
export type PermissionSettings = ReadonlyMap<
  string,
  {
    readonly default_group_name: string;
    readonly require_system_group: boolean;
    readonly allow_nobody_group: boolean;
    readonly allow_everyone_group: boolean;
  }
>;

export async function permissionSettings({ people }: TestChat): Promise<PermissionSettings> {
  const { server_supported_permission_settings: all } =
    await people.desdemona.client.queues.register({ fetch_event_types: ['realm'] });
  if (!all) throw new Error('The server does not list its permission settings');
  const kinds = { realm: all.realm, channel: all.stream, group: all.group };
  return new Map(
    Object.entries(kinds).flatMap(([kind, settings]) =>
      Object.entries(settings).map(([name, setting]) => [`${kind}.${name}`, setting] as const),
    ),
  );
}

/** The lowest role in each system group. The creator of channels and groups is the owner. */
const lowestRole: Readonly<Record<string, number>> = {
  'role:nobody': 0,
  stream_creator_or_nobody: roles.owner,
  group_creator: roles.owner,
  'role:owners': roles.owner,
  'role:administrators': roles.admin,
  'role:moderators': roles.moderator,
  'role:fullmembers': roles.member,
  'role:members': roles.member,
  'role:everyone': roles.guest,
};

export interface Circumstances {
  /** Whether the object of the request is the caller's own. */
  readonly isOwn: boolean;
  readonly settings: PermissionSettings;
  /** The system group of each setting of the permission. Default: that of each setting. */
  readonly group?: 'role:nobody';
}

/** Whether a grant of the permission covers a caller with a role. */
export function isGranted(
  { grants, bots }: Permission,
  { role = roles.guest, isBot = false }: ChatCaller,
  { isOwn, settings, group }: Circumstances,
): boolean {
  if (isBot && bots === false) return false;
  return grants.some((grant) => {
    if (grant === 'own') return isOwn;
    if (grant === 'owner' || grant === 'admin' || grant === 'member') return role <= roles[grant];
    // Only the owner of the test chat has the flags of accounts.
    if (grant.startsWith('account.')) return role === roles.owner;
    // These settings are off, unless all settings are to grant nothing.
    if (flagOf(grant) !== undefined) return group === undefined;
    const setting = settings.get(grant);
    if (!setting) throw new Error(`The server has no setting ${grant}`);
    const smallest = setting.allow_nobody_group ? group : group && 'role:owners';
    return role <= (lowestRole[smallest ?? setting.default_group_name] ?? 0);
  });
}
