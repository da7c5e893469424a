import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import type { Permission } from '../permission.ts';
import { resource, section } from '../resource.ts';
import { UserGroupEvent } from '../user-groups/user-group-events.ts';
import { applyRealm } from './apply-realm.ts';
import { RealmEvent } from './realm-events.ts';
import { realmGroupSettings } from './realm-group-settings.ts';
import { isOwnersSetting, realmParameters, realmSettingNames } from './realm-settings.ts';
import { RealmState } from './realm-state.ts';

const ownersPermissions = [...realmSettingNames, ...realmGroupSettings]
  .filter(isOwnersSetting)
  .map((when): Permission => ({
    to: `change ${when}`,
    when,
    grants: ['owner'],
    refusal: 'UNAUTHORIZED_PRINCIPAL',
  }));

const endpoints = {
  update: endpoint('PATCH /realm', {
    summary: 'Change the settings and permissions of the realm',
    description:
      'A permission is sent as {new, old}; a stale old is refused. unlimited removes a time limit, -1 a channel. After a change of can_access_all_users_group, guests must register their event queues again.',
    access: 'admin',
    permissions: ownersPermissions,
    params: realmParameters,
    errors: ['EXPECTATION_MISMATCH', 'SYSTEM_GROUP_REQUIRED'],
    emits: [RealmEvent, UserGroupEvent],
  }),
};

export const realms = resource({
  endpoints,
  events: [event(RealmEvent, applyRealm)],
  state: { realm: section(RealmState.shape, { access: 'optional' }) },
});
