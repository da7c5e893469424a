import {
  type ChannelId,
  realmSettingNames,
  realmSettings,
  type RealmSettingValues,
} from '@bellhop/protocol';

import type { Realm } from '../../engine/caller.ts';

/** The settings that are columns of their own. */
export interface SettingColumns {
  readonly name: string;
  readonly description: string;
  readonly waiting_period_days: number;
}
export type RealmSettings = Omit<
  RealmSettingValues,
  'name' | 'description' | 'waiting_period_threshold'
>;

/** Settings of a new realm. A realm stores only the settings that differ. */
const initialRealmSettings = Object.fromEntries(
  realmSettingNames.map((name) => [name, realmSettings[name].initial]),
) as RealmSettingValues;

/** The settings of a realm that are no columns of their own. */
export const settingsOf = (realm: StoredSettings): RealmSettings => ({
  ...initialRealmSettings,
  ...realm.settings,
});

/** All settings of a realm. */
export const realmSettingsOf = (
  realm: Pick<Realm, 'settings' | keyof SettingColumns>,
): RealmSettingValues => ({
  ...settingsOf(realm),
  name: realm.name,
  description: realm.description,
  waiting_period_threshold: realm.waiting_period_days,
});

/** The channel in which new channels are announced, if any. */
export const newChannelAnnouncements = (realm: StoredSettings): ChannelId | undefined =>
  channelIn(realm, 'new_stream_announcements_stream_id');

/** The channel in which new users are announced, if any. */
export const signupAnnouncements = (realm: StoredSettings): ChannelId | undefined =>
  channelIn(realm, 'signup_announcements_stream_id');

/** The channel to which messages are reported, if any. */
export const moderationRequests = (realm: StoredSettings): ChannelId | undefined =>
  channelIn(realm, 'moderation_request_channel_id');

interface StoredSettings {
  readonly settings: Readonly<Record<string, unknown>>;
}

function channelIn({ settings }: StoredSettings, name: string): ChannelId | undefined {
  const id = settings[name];
  return typeof id === 'number' && id > 0 ? (id as ChannelId) : undefined;
}
