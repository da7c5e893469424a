import {
  arrivesInDict,
  badRequest,
  type GroupSetting,
  isOwnersSetting,
  type RealmGroupSetting,
  realmGroupSettings,
  type RealmSettingName,
  realmSettingNames,
  type RealmSettingValues,
  roles,
  type UserGroupId,
} from '@bellhop/protocol';

import { ApiError } from '../../engine/api-error.ts';
import { EVERYBODY } from '../../engine/audience.ts';
import type { Change, Tx } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import type { Handlers } from '../../engine/resource.ts';
import { requireRealmChannels } from '../../model/channels/realm-channels.ts';
import * as presence from '../../model/presence/queries.ts';
import { legacyPolicies } from '../../model/realms/legacy-policies.ts';
import { supportedPermissionSettings } from '../../model/realms/permission-settings.ts';
import * as queries from '../../model/realms/queries.ts';
import { realmSettingsOf } from '../../model/realms/realm-settings.ts';
import { requireLanguage } from '../../model/settings/locale.ts';
import * as userGroups from '../../model/user-groups/queries.ts';
import { changedSettingGroup } from '../../model/user-groups/setting-value.ts';
import * as users from '../../model/users/queries.ts';
import { changingWaitingPeriod } from '../user-groups/announce-full-members.ts';

type UpdateCall = Parameters<Handlers<'realms'>['update']>[0];
type Params = UpdateCall['params'];
interface GroupChange {
  readonly name: RealmGroupSetting;
  readonly former: UserGroupId;
  readonly id: UserGroupId;
  readonly value: GroupSetting;
}

/** Changes the settings and permissions of the realm. */
export const updateRealm: Handlers<'realms'>['update'] = async (call) => {
  const { app, realm: before, user, params, db, emit } = call;
  requireLoginByEmail(params.authentication_methods);
  requireLanguage(params.default_language);
  requireWebAddress(params.jitsi_server_url);
  requireOwnerFor(user, params);
  await requireRealmChannels(db, user, params);
  const values = changedValues(before, params);
  const groups = await changedGroups(db, before, params);
  if (Object.keys(values).length === 0 && groups.length === 0) return {};
  const store = () => queries.storeSettings(db, before, values);
  if (values.waiting_period_threshold === undefined) await store();
  else await changingWaitingPeriod(call, { realm: before, now: app.now() }, store);
  if (values.presence_disabled) await presence.removeAll(db, before.id);
  await queries.setGroupSettings(db, before.id, {
    ...before.group_settings,
    ...Object.fromEntries(groups.map(({ name, id }) => [name, id])),
  });
  await userGroups.deleteAnonymous(
    db,
    before.id,
    groups.map(({ former }) => former),
  );
  const after = { ...before, ...(await queries.byId(db, before.id)) };
  await emitChanges({ db, emit }, { before, after }, { values, groups });
  if (groups.some(({ name }) => name === 'can_access_all_users_group'))
    // Guests see other users than before.
    await call.endQueues(await users.activeGuests(db, before.id));
  app.realms.changed(db);
  return {};
};

function requireOwnerFor({ role }: User, params: Params): void {
  const names = [...realmSettingNames, ...realmGroupSettings];
  const isOwners = names.some((name) => params[name] !== undefined && isOwnersSetting(name));
  const needsOwner = isOwners || params.authentication_methods !== undefined;
  if (needsOwner && role > roles.owner)
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', { message: 'Must be an organization owner' });
}

/** Throws BAD_REQUEST unless e-mail and password, the only way to log in, stays enabled. */
function requireLoginByEmail(methods: Readonly<Record<string, boolean>> | undefined): void {
  if (methods === undefined) return;
  const enabled = Object.keys(methods).filter((name) => methods[name]);
  const unavailable = enabled.find((name) => name !== 'Email');
  if (unavailable !== undefined)
    throw badRequest(`The authentication method ${unavailable} is not available on this server.`);
  if (enabled.length === 0) throw badRequest('At least one authentication method must be enabled.');
}

function requireWebAddress(url: string | null | undefined): void {
  if (url && !(URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)))
    throw badRequest('jitsi_server_url is not a URL');
}

/** The requested settings that differ from the current ones. */
function changedValues(realm: Realm, params: Params): Partial<RealmSettingValues> {
  const current = realmSettingsOf(realm);
  return Object.fromEntries(
    realmSettingNames
      .filter((name) => params[name] !== undefined && params[name] !== current[name])
      .map((name) => [name, params[name]]),
  );
}

async function changedGroups(tx: Tx, realm: Realm, params: Params): Promise<GroupChange[]> {
  const changes: GroupChange[] = [];
  for (const name of realmGroupSettings) {
    const update = params[name];
    const rule = supportedPermissionSettings.realm[name];
    if (!update || !rule) continue;
    const former = realm.group_settings[name];
    const changed = await changedSettingGroup(tx, { realm, name, rule, update }, former);
    if (changed) changes.push({ name, former, ...changed });
  }
  return changes;
}

interface RealmChanges {
  readonly values: Partial<RealmSettingValues>;
  readonly groups: readonly GroupChange[];
}

/** Emits each setting by itself; those that clients expect together, with legacy names, in one event. */
async function emitChanges(
  { db, emit }: Pick<Change<'realm'>, 'db' | 'emit'>,
  { before, after }: { before: Realm; after: Realm },
  { values, groups }: RealmChanges,
): Promise<void> {
  const systemGroups = await userGroups.systemGroupIds(db, after.id);
  const former: Record<string, unknown> = legacyPolicies(before, systemGroups);
  const dict: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(legacyPolicies(after, systemGroups)))
    if (value !== former[name]) dict[name] = value;
  for (const { name, value } of groups) dict[name] = value;
  for (const [property, value] of Object.entries(values) as [RealmSettingName, never][])
    if (arrivesInDict(property)) dict[property] = value;
    else emit({ type: 'realm', op: 'update', property, value }, EVERYBODY);
  if (Object.keys(dict).length > 0)
    emit({ type: 'realm', op: 'update_dict', property: 'default', data: dict as never }, EVERYBODY);
}
