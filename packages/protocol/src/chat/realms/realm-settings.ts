import { z } from 'zod';

import { ChannelId, GroupSettingUpdate } from '../../values/ids.ts';
import { MAX_URL_LENGTH, MAX_WORD_LENGTH } from '../../values/limits.ts';
import { type RealmGroupSetting, realmGroupSettings } from '../../wire/group-settings.ts';
import { quotable } from '../../wire/wire.ts';

interface RealmSettingOptions {
  /** The schema of the parameter, if clients send another form than the state has. */
  readonly parameter?: z.ZodType;
  /** Only owners may change it. */
  readonly owner?: true;
  /** A change of the setting arrives in an `update_dict` event. */
  readonly inDict?: true;
}

const setting = <S extends z.ZodType, const O extends RealmSettingOptions = {}>(
  schema: S,
  initial: NoInfer<z.output<S>>,
  options?: O,
) => ({ schema, initial, ...(options ?? ({} as O)) });
const flag = <const O extends RealmSettingOptions = {}>(initial: boolean, options?: O) =>
  setting(z.boolean(), initial, options);

const owner = { owner: true } as const;
const inDict = { inDict: true } as const;

export const MAX_REALM_NAME_LENGTH = 40;
export const MAX_REALM_DESCRIPTION_LENGTH = 1000;
const MAX_WELCOME_TEXT_LENGTH = 8000;
const MAX_SECONDS = 2 ** 31 - 1;
const MAX_DAYS = 100_000;
const WEEK = 604_800;

/** A time limit in seconds; null for none, which clients send as `unlimited`. */
const limit = {
  parameter: z
    .union([z.int().min(1).max(MAX_SECONDS), z.literal('unlimited')])
    .transform((seconds) => (seconds === 'unlimited' ? null : seconds)),
} as const;
const Limit = z.int().nullable();

/** Days; -1 for ever, which clients send as `unlimited`. */
const retention = {
  ...owner,
  parameter: z
    .union([z.int().min(1).max(MAX_DAYS), z.literal(['unlimited', 'forever'])])
    .transform((days) => (typeof days === 'string' ? -1 : days)),
} as const;

/**
 * Unspecified, business, open source, education (non-profit, for profit), research, event, non-profit,
 * government, political group, community, personal, other.
 */
const organizationTypes = [0, 10, 20, 30, 35, 40, 50, 60, 70, 80, 90, 100, 1000] as const;

/** The ID of a channel; -1 stands for no channel. */
const PointedChannel = ChannelId.or(z.literal(-1));

/**
 * The settings of a realm without its permissions: schema, value in a new realm, who may change it,
 * and how its change arrives. Parameters, events and initial state are made from this table; in the
 * state, `realm_` precedes the names.
 */
export const realmSettings = {
  allow_message_editing: flag(true, inDict),
  avatar_changes_disabled: flag(false),
  default_code_block_language: setting(z.string().max(MAX_WORD_LENGTH), ''),
  default_language: setting(z.string().max(MAX_WORD_LENGTH), 'en'),
  description: setting(z.string(), '', {
    parameter: z.string().max(MAX_REALM_DESCRIPTION_LENGTH),
  }),
  digest_emails_enabled: flag(false),
  digest_weekday: setting(z.int().min(0).max(6), 1),
  disallow_disposable_email_addresses: flag(true, owner),
  email_changes_disabled: flag(false),
  emails_restricted_to_domains: flag(false, owner),
  enable_guest_user_dm_warning: flag(true),
  enable_guest_user_indicator: flag(true),
  enable_read_receipts: flag(true),
  enable_spectator_access: flag(false),
  giphy_rating: setting(z.literal([0, 2]), 2),
  inline_image_preview: flag(true),
  inline_url_embed_preview: flag(false),
  invite_required: flag(true, owner),
  jitsi_server_url: setting(z.string().nullable(), null, {
    parameter: quotable(z.string().max(MAX_URL_LENGTH)).transform((url) =>
      url === 'default' ? null : url,
    ),
  }),
  message_content_allowed_in_email_notifications: flag(true),
  message_content_delete_limit_seconds: setting(Limit, 600, limit),
  message_content_edit_limit_seconds: setting(Limit, 600, { ...limit, ...inDict }),
  message_edit_history_visibility_policy: setting(z.enum(['all', 'moves', 'none']), 'all', inDict),
  message_retention_days: setting(z.int(), -1, retention),
  moderation_request_channel_id: setting(PointedChannel, -1),
  move_messages_between_streams_limit_seconds: setting(Limit, WEEK, limit),
  move_messages_within_stream_limit_seconds: setting(Limit, WEEK, limit),
  name: setting(z.string(), '', {
    parameter: z.string().trim().min(1).max(MAX_REALM_NAME_LENGTH),
  }),
  name_changes_disabled: flag(false),
  new_stream_announcements_stream_id: setting(PointedChannel, -1),
  org_type: setting(z.literal(organizationTypes), 0),
  presence_disabled: flag(false),
  require_e2ee_push_notifications: flag(false),
  require_unique_names: flag(false),
  send_welcome_emails: flag(true),
  signup_announcements_stream_id: setting(PointedChannel, -1),
  topics_policy: setting(
    z.enum(['allow_empty_topic', 'disable_empty_topic']),
    'allow_empty_topic',
    inDict,
  ),
  video_chat_provider: setting(z.literal([0]), 0),
  waiting_period_threshold: setting(z.int().min(0).max(MAX_DAYS), 0, owner),
  want_advertise_in_communities_directory: flag(false),
  welcome_message_custom_text: setting(z.string().max(MAX_WELCOME_TEXT_LENGTH), ''),
  zulip_update_announcements_stream_id: setting(PointedChannel, -1),
};

type Table = typeof realmSettings;
export type RealmSettingName = keyof Table;
export const realmSettingNames = Object.keys(realmSettings) as RealmSettingName[];
/** The value of each setting of a realm. */
export type RealmSettingValues = { [K in RealmSettingName]: z.output<Table[K]['schema']> };

/** The permissions that only owners may change. */
const ownersPermissions: ReadonlySet<RealmGroupSetting> = new Set([
  'can_create_groups',
  'can_invite_users_group',
  'can_manage_all_groups',
  'can_manage_billing_group',
  'create_multiuse_invite_group',
]);

const optionsOf = (name: RealmSettingName) => realmSettings[name] as RealmSettingOptions;

/** Whether only owners may change a setting or permission of the realm. */
export const isOwnersSetting = (name: RealmSettingName | RealmGroupSetting): boolean =>
  name in realmSettings
    ? optionsOf(name as RealmSettingName).owner === true
    : ownersPermissions.has(name as RealmGroupSetting);

/** Whether the change of a setting arrives in an `update_dict` event. */
export const arrivesInDict = (name: RealmSettingName): boolean => optionsOf(name).inDict === true;

type StateShape = { [K in RealmSettingName as `realm_${K}`]: Table[K]['schema'] };
/** The schemas of the settings in the initial state. */
export const realmSettingsState = Object.fromEntries(
  realmSettingNames.map((name) => [`realm_${name}`, realmSettings[name].schema]),
) as StateShape;

type ParameterOf<Entry extends { readonly schema: z.ZodType }> = Entry extends {
  readonly parameter: infer P extends z.ZodType;
}
  ? P
  : Entry['schema'];
type Parameters = { [K in RealmSettingName]: z.ZodOptional<ParameterOf<Table[K]>> } & {
  [K in RealmGroupSetting]: z.ZodOptional<typeof GroupSettingUpdate>;
};

const ownersOnly = { description: 'Only owners may change it' };
/** The parameters that change the settings and permissions of a realm. */
export const realmParameters = Object.fromEntries(
  [...realmSettingNames, ...realmGroupSettings].map((name) => {
    const schema =
      name in realmSettings
        ? (optionsOf(name as RealmSettingName).parameter ??
          realmSettings[name as RealmSettingName].schema)
        : GroupSettingUpdate;
    const parameter = schema.optional();
    return [name, isOwnersSetting(name) ? parameter.meta(ownersOnly) : parameter];
  }),
) as unknown as Parameters;
