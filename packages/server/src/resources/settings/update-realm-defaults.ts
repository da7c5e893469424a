import { EVERYBODY } from '../../engine/audience.ts';
import type { Handlers } from '../../engine/resource.ts';
import * as realms from '../../model/realms/queries.ts';
import { changesOf } from '../../model/settings/setting-changes.ts';
import { realmDefaultsOf } from '../../model/users/user-settings.ts';

/** Changes the settings of users who join later (spec, Update realm-level defaults of user settings). */
export const updateRealmDefaults: Handlers<'settings'>['updateRealmDefaults'] = async ({
  app,
  realm,
  params,
  db,
  emit,
}) => {
  const { user_defaults } = realm;
  const changes = changesOf(realmDefaultsOf({ user_defaults }), params);
  if (changes.length === 0) return {};
  const values = Object.fromEntries(changes.map(({ property, value }) => [property, value]));
  await realms.setUserDefaults(db, realm.id, { ...user_defaults, ...values });
  for (const { property, value } of changes)
    emit({ type: 'realm_user_settings_defaults', op: 'update', property, value }, EVERYBODY);
  app.realms.changed(db);
  return {};
};
