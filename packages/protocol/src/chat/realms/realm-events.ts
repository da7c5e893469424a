import { z } from 'zod';

import { GroupSetting } from '../../values/ids.ts';
import { realmSettingNames } from './realm-settings.ts';

const type = z.literal('realm');
const value = z.union([z.boolean(), z.int(), z.string(), z.null()]);

/** One property of the realm changed: `realm_<property>` in the initial state. */
const RealmUpdated = z.object({
  type,
  op: z.literal('update'),
  property: z.enum([
    ...realmSettingNames,
    'push_notifications_enabled',
    'push_notifications_enabled_end_timestamp',
  ]),
  value,
});

/** Properties of the realm changed: `realm_<key>` in the initial state for each key of `data`. */
const RealmDictUpdated = z.object({
  type,
  op: z.literal('update_dict'),
  property: z.enum(['default', 'icon', 'logo', 'night_logo']),
  data: z.record(z.string(), z.union([value, GroupSetting])),
});

export const RealmEvent = z.discriminatedUnion('op', [RealmUpdated, RealmDictUpdated]);
