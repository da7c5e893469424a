import { z } from 'zod';

import { limitedMap, MAX_WORD_LENGTH } from '../../values/limits.ts';
import { endpoint } from '../../wire/endpoint.ts';
import { event } from '../../wire/event.ts';
import { realmGroupSettings } from '../../wire/group-settings.ts';
import type { Permission } from '../../wire/permission.ts';
import { resource, section } from '../../wire/resource.ts';
import { StreamEvent, SubscriptionEvent } from '../channels/channel-events.ts';
import { UserGroupEvent } from '../user-groups/user-group-events.ts';
import { applyRealm } from './apply-realm.ts';
import { RealmEvent } from './realm-events.ts';
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
    params: {
      ...realmParameters,
      authentication_methods: limitedMap(z.string().max(MAX_WORD_LENGTH), z.boolean(), 100)
        .optional()
        .meta({
          description:
            'Whether each way to log in is enabled. `Email` is the only one and stays enabled. Only owners may send it',
        }),
    },
    aliases: { gif_rating_policy: 'giphy_rating' },
    errors: ['EXPECTATION_MISMATCH', 'SYSTEM_GROUP_REQUIRED'],
    emits: [RealmEvent, UserGroupEvent, StreamEvent, SubscriptionEvent],
  }),
};

export const realms = resource({
  endpoints,
  events: [event(RealmEvent, applyRealm)],
  state: { realm: section(RealmState.shape, { access: 'optional' }) },
});
