import type { RealmGroupSetting, RealmSettingName, UserSettingName } from '@bellhop/protocol';
import { expectTypeOf, test } from 'vitest';

import { realmPermissionLabels, realmSettingGroups } from './realm-setting-labels.ts';
import { userSettingGroups } from './user-setting-labels.ts';

type NamesIn<Groups> = { [G in keyof Groups]: keyof Groups[G] }[keyof Groups];

test('every setting of an organization and of a user has a label', () => {
  expectTypeOf<NamesIn<typeof realmSettingGroups>>().toEqualTypeOf<RealmSettingName>();
  expectTypeOf<NamesIn<typeof userSettingGroups>>().toEqualTypeOf<UserSettingName>();
});

test('labels of permissions that lack one do not compile', () => {
  const { can_invite_users_group: _label, ...others } = realmPermissionLabels;
  // @ts-expect-error The label of `can_invite_users_group` is missing.
  const incomplete: typeof realmPermissionLabels = others;
  void incomplete;
  expectTypeOf<keyof typeof realmPermissionLabels>().toEqualTypeOf<RealmGroupSetting>();
});
