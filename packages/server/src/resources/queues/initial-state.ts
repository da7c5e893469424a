import {
  emojisetChoices,
  type InitialState,
  initialUserSettings,
  legacyDisplaySettings,
  legacyNotificationSettings,
  notificationSounds,
  roles,
  type ParamsOf,
  type Api,
  type UserSettings,
} from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { botsOwnedBy } from '../bots/bot-record.ts';
import { defaultIds } from '../channels/channel-rows.ts';
import { channelsFor, subscriptionsFor } from '../channels/channels-for.ts';
import { pushDevicesOf } from '../devices/push-devices-of.ts';
import * as messages from '../messages/queries.ts';
import { realmState } from '../realms/realm-state.ts';
import { groupRecords } from '../user-groups/group-record.ts';
import { ownState, usersState } from '../users/users-state.ts';
import * as queries from './queries.ts';
import { unreadMessages } from './unread-messages.ts';

export interface Viewing {
  readonly app: App;
  readonly db: Db;
  readonly realm: Realm;
  readonly user: User | null;
  readonly params: ParamsOf<Api['queues']['register']>;
  readonly client_gravatar: boolean;
}
type Logged = Viewing & { readonly user: User };
type Section<V> = (viewing: V) => Promise<Partial<InitialState>> | Partial<InitialState>;

/** One start of the server is told from another by this. */
const GENERATION = Math.floor(Date.now() / 1000);

const choices = {
  emojiset_choices: [...emojisetChoices],
  available_notification_sounds: [...notificationSounds],
};
const settingsOf = ({ realm, user }: Logged): UserSettings => ({
  ...initialUserSettings,
  ...realm.user_defaults,
  ...user.settings,
  timezone: user.timezone,
});

const only = <K extends keyof UserSettings>(settings: UserSettings, names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, settings[name]])) as Pick<UserSettings, K>;

const fieldTypes = [
  'SHORT_TEXT',
  'LONG_TEXT',
  'SELECT',
  'DATE',
  'EXTERNAL_ACCOUNT',
  'LINK',
  'USER',
  'PRONOUNS',
];
const fieldTypeIds = [1, 2, 3, 4, 7, 5, 6, 8];

/** What strangers may see of a realm that lets them in. */
const publicSections: Readonly<Record<string, Section<Viewing>>> = {
  realm: ({ app, db, realm }) =>
    realmState(db, realm, { config: app.config, generation: GENERATION }),
  realm_emoji: () => ({ realm_emoji: {} }),
  realm_linkifiers: () => ({ realm_linkifiers: [] }),
  realm_filters: () => ({ realm_filters: [] }),
  realm_playgrounds: () => ({ realm_playgrounds: [] }),
};

const sections: Readonly<Record<string, Section<Logged>>> = {
  ...publicSections,
  alert_words: () => ({ alert_words: [] }),
  channel_folders: () => ({ channel_folders: [] }),
  custom_profile_fields: () => ({
    custom_profile_fields: [],
    custom_profile_field_types: Object.fromEntries(
      fieldTypes.map((name, at) => [name, { id: fieldTypeIds[at] ?? 0, name: name.toLowerCase() }]),
    ),
  }),
  default_stream_groups: () => ({ realm_default_stream_groups: [] }),
  default_streams: async ({ db, realm, user }) => ({
    realm_default_streams: user.role === roles.guest ? [] : await defaultIds(db, realm.id),
  }),
  drafts: () => ({ drafts: [] }),
  giphy: () => ({ giphy_api_key: '' }),
  message: async ({ db, user }) => ({ max_message_id: await messages.newestReceived(db, user) }),
  muted_topics: () => ({ muted_topics: [] }),
  muted_users: () => ({ muted_users: [] }),
  navigation_views: () => ({ navigation_views: [] }),
  onboarding_steps: () => ({ onboarding_steps: [], navigation_tour_video_url: null }),
  presence: ({ app }) => ({
    presences: {},
    presence_last_update_id: -1,
    server_timestamp: app.now(),
  }),
  push_device: async ({ db, user }) => ({ push_devices: await pushDevicesOf(db, user) }),
  realm_billing: () => ({ realm_billing: { has_pending_sponsorship_request: false } }),
  realm_bot: async ({ app, db, realm, user }) => ({
    realm_bots: await botsOwnedBy(db, { realm, secrets: app.secrets }, user),
  }),
  realm_domains: () => ({ realm_domains: [] }),
  realm_embedded_bots: () => ({ realm_embedded_bots: [] }),
  realm_incoming_webhook_bots: () => ({ realm_incoming_webhook_bots: [] }),
  realm_user: async (viewing) => ({ ...(await usersState(viewing)), ...(await ownState(viewing)) }),
  realm_user_groups: async ({ db, realm, params }) => ({
    realm_user_groups: await groupRecords(db, realm, params.client_capabilities),
  }),
  realm_user_settings_defaults: ({ realm }) => ({
    realm_user_settings_defaults: { ...initialUserSettings, ...realm.user_defaults, ...choices },
  }),
  recent_private_conversations: async ({ db, realm, user }) => ({
    recent_private_conversations: await queries.recentConversations(db, realm.id, user.id),
  }),
  reminders: () => ({ reminders: [] }),
  saved_snippets: () => ({ saved_snippets: [] }),
  scheduled_messages: () => ({ scheduled_messages: [] }),
  starred_messages: async ({ db, realm, user }) => ({
    starred_messages: await queries.starred(db, realm.id, user.id),
  }),
  stop_words: () => ({ stop_words: [] }),
  stream: async (viewing) => ({ streams: await channelsFor(viewing.db, looking(viewing)) }),
  subscription: (viewing) =>
    subscriptionsFor(viewing.db, {
      ...looking(viewing),
      include_subscribers: viewing.params.include_subscribers,
      notification_settings_null: viewing.params.client_capabilities.notification_settings_null,
    }),
  update_display_settings: (viewing) =>
    viewing.params.client_capabilities.user_settings_object
      ? {}
      : {
          ...only(settingsOf(viewing), namesOf(legacyDisplaySettings)),
          emojiset_choices: choices.emojiset_choices,
        },
  update_global_notifications: (viewing) =>
    viewing.params.client_capabilities.user_settings_object
      ? {}
      : {
          ...only(settingsOf(viewing), namesOf(legacyNotificationSettings)),
          available_notification_sounds: choices.available_notification_sounds,
        },
  user_settings: (viewing) => ({ user_settings: { ...settingsOf(viewing), ...choices } }),
  user_status: () => ({ user_status: {} }),
  user_topic: () => ({ user_topics: [] }),
  video_calls: () => ({ has_zoom_token: false }),
};

const looking = ({ app, realm, user, params }: Logged) => ({
  realm,
  viewer: user,
  now: app.now(),
  archived: params.client_capabilities.archived_channels,
});

const namesOf = <S extends object>(shape: S) =>
  Object.keys(shape) as (keyof S & keyof UserSettings)[];

/** The state of what was asked for; null asks for everything, unknown types are ignored. */
export async function initialState(
  viewing: Viewing,
  asked: readonly string[] | null,
): Promise<Partial<InitialState>> {
  const { user } = viewing;
  const known = user ? sections : publicSections;
  const wanted =
    asked === null
      ? Object.keys(known)
      : [...new Set(asked)].filter((type) => Object.hasOwn(known, type));
  const state: Partial<InitialState> = {};
  for (const type of wanted)
    Object.assign(
      state,
      user ? await sections[type]?.({ ...viewing, user }) : await publicSections[type]?.(viewing),
    );
  if (
    user &&
    wanted.includes('message') &&
    (asked === null || asked.includes('update_message_flags'))
  )
    state.unread_msgs = await unreadOf({ ...viewing, user });
  // One client reads it from every answer, whatever it asked for.
  if (user) state.max_message_id ??= await messages.newestReceived(viewing.db, user);
  if (wanted.includes('user_topic')) delete state.muted_topics;
  return state;
}

async function unreadOf({ db, realm, user, params }: Logged) {
  const { empty_topic_name } = params.client_capabilities;
  return unreadMessages(await queries.unread(db, realm.id, user.id), {
    id: user.id,
    empty_topic_name,
  });
}
