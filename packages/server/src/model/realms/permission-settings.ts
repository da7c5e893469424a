import {
  type ChannelGroupSetting,
  type PermissionSetting,
  type RealmGroupSetting,
  type Role,
  roles,
  type SystemGroup,
  systemGroups,
  type userGroupSettings,
} from '@bellhop/protocol';

/** The default group of a permission, and whether nobody (N) and everyone (E) are allowed groups. */
type PermissionRule = readonly [
  initial: SystemGroup | 'stream_creator_or_nobody' | 'group_creator',
  allowed: '' | 'N' | 'E' | 'NE',
];

const realm: Record<RealmGroupSetting, PermissionRule> = {
  create_multiuse_invite_group: ['role:administrators', 'N'],
  can_access_all_users_group: ['role:everyone', 'E'],
  can_add_subscribers_group: ['role:members', 'N'],
  can_add_custom_emoji_group: ['role:members', 'N'],
  can_create_bots_group: ['role:members', 'N'],
  can_create_groups: ['role:members', 'N'],
  can_create_public_channel_group: ['role:members', 'N'],
  can_create_private_channel_group: ['role:members', 'N'],
  can_create_web_public_channel_group: ['role:owners', 'N'],
  can_create_write_only_bots_group: ['role:members', 'N'],
  can_delete_any_message_group: ['role:administrators', 'N'],
  can_delete_own_message_group: ['role:everyone', 'NE'],
  can_invite_users_group: ['role:members', 'N'],
  can_manage_all_groups: ['role:owners', ''],
  can_manage_billing_group: ['role:administrators', ''],
  can_mention_many_users_group: ['role:administrators', 'NE'],
  can_move_messages_between_channels_group: ['role:members', 'N'],
  can_move_messages_between_topics_group: ['role:everyone', 'NE'],
  can_resolve_topics_group: ['role:everyone', 'NE'],
  can_set_delete_message_policy_group: ['role:moderators', 'N'],
  can_set_topics_policy_group: ['role:members', 'NE'],
  can_summarize_topics_group: ['role:everyone', 'NE'],
  direct_message_initiator_group: ['role:everyone', 'NE'],
  direct_message_permission_group: ['role:everyone', 'NE'],
};

const channel: Record<ChannelGroupSetting, PermissionRule> = {
  can_add_subscribers_group: ['role:nobody', 'N'],
  can_administer_channel_group: ['stream_creator_or_nobody', 'N'],
  can_delete_any_message_group: ['role:nobody', 'NE'],
  can_delete_own_message_group: ['role:nobody', 'NE'],
  can_move_messages_out_of_channel_group: ['role:nobody', 'NE'],
  can_move_messages_within_channel_group: ['role:nobody', 'NE'],
  can_remove_subscribers_group: ['role:administrators', 'NE'],
  can_resolve_topics_group: ['role:nobody', 'NE'],
  can_send_message_group: ['role:everyone', 'NE'],
  can_subscribe_group: ['role:nobody', 'N'],
};

const group: Record<(typeof userGroupSettings)[number], PermissionRule> = {
  can_add_members_group: ['group_creator', 'N'],
  can_join_group: ['role:nobody', 'N'],
  can_leave_group: ['role:everyone', 'NE'],
  can_manage_group: ['group_creator', 'N'],
  can_mention_group: ['role:everyone', 'NE'],
  can_remove_members_group: ['role:nobody', 'N'],
};

/** The allowed groups of settings that take only a system group. */
const requiredSystemGroups: Partial<Record<string, readonly SystemGroup[]>> = {
  can_access_all_users_group: ['role:everyone', 'role:members'],
  can_create_web_public_channel_group: [
    'role:moderators',
    'role:administrators',
    'role:owners',
    'role:nobody',
  ],
};

/** The allowed system groups of settings that take other groups too (spec, Update a user group). */
const allowedSystemGroups: Partial<Record<string, readonly SystemGroup[]>> = {
  can_mention_group: systemGroups.filter(
    (name) => name !== 'role:internet' && name !== 'role:owners',
  ),
};

const permissionSettings = (
  rules: Readonly<Record<string, PermissionRule>>,
): Record<string, PermissionSetting> =>
  Object.fromEntries(
    Object.entries(rules).map(([name, [initial, allowed]]) => [
      name,
      {
        require_system_group: name in requiredSystemGroups,
        allow_internet_group: false,
        allow_nobody_group: allowed.includes('N'),
        allow_everyone_group: allowed.includes('E'),
        default_group_name: initial,
        default_for_system_groups: rules === group ? 'role:nobody' : null,
        allowed_system_groups: [...(requiredSystemGroups[name] ?? allowedSystemGroups[name] ?? [])],
      },
    ]),
  );

/** The allowed and default groups of each setting: `server_supported_permission_settings` of `/register`. */
export const supportedPermissionSettings = {
  realm: permissionSettings(realm),
  stream: permissionSettings(channel),
  group: permissionSettings(group),
};

/**
 * Whether a setting grants members of its group anything, given their role: one that may not be
 * `role:everyone` grants guests nothing, in whichever group they are.
 */
export const grantsRole = (
  kind: keyof typeof supportedPermissionSettings,
  setting: string,
  role: Role,
): boolean =>
  role < roles.guest || supportedPermissionSettings[kind][setting]?.allow_everyone_group === true;

/** The system group of each permission in a new realm. */
export const initialRealmGroups = Object.fromEntries(
  Object.entries(realm).map(([name, [initial]]) => [name, initial]),
) as Record<RealmGroupSetting, SystemGroup>;
