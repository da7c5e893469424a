import type { RealmGroupSetting, SystemGroup, UserGroupId } from '@bellhop/protocol';

import type { Realm } from '../../engine/caller.ts';
import { settingsOf } from './realm-settings.ts';

/** The numbers of the legacy policies: 1 members, 2 admins, 3 full members, 4 moderators, 5 everyone, 6 nobody, 7 owners. */
const policies: Partial<Record<SystemGroup, number>> = {
  'role:members': 1,
  'role:administrators': 2,
  'role:fullmembers': 3,
  'role:moderators': 4,
  'role:everyone': 5,
  'role:nobody': 6,
  'role:owners': 7,
};
/** The numbers of the legacy policy for wildcard mentions: 1 everyone, 2 members, 3 full members, 5 admins, 6 nobody, 7 moderators. */
const wildcardPolicies: Partial<Record<SystemGroup, number>> = {
  'role:everyone': 1,
  'role:members': 2,
  'role:fullmembers': 3,
  'role:administrators': 5,
  'role:nobody': 6,
  'role:moderators': 7,
};

/** Settings by the names and numbers that clients of other feature levels read. */
export function legacyPolicies(
  realm: Realm,
  systemGroups: Readonly<Record<SystemGroup, UserGroupId>>,
) {
  const settings = settingsOf(realm);
  const names = new Map(Object.entries(systemGroups).map(([name, id]) => [id, name]));
  const policyOf = (setting: RealmGroupSetting, numbers: typeof policies): number => {
    const name = names.get(realm.group_settings[setting]) as SystemGroup | undefined;
    return (name && numbers[name]) ?? numbers['role:administrators'] ?? 2;
  };
  return {
    allow_edit_history: settings.message_edit_history_visibility_policy !== 'none',
    create_private_stream_policy: policyOf('can_create_private_channel_group', policies),
    create_public_stream_policy: policyOf('can_create_public_channel_group', policies),
    create_web_public_stream_policy: policyOf('can_create_web_public_channel_group', policies),
    gif_rating_policy: settings.giphy_rating,
    mandatory_topics: settings.topics_policy === 'disable_empty_topic',
    wildcard_mention_policy: policyOf('can_mention_many_users_group', wildcardPolicies),
  };
}
