import type { ChannelId, Subscription } from '@bellhop/protocol';

import type { User } from '../../../engine/caller.ts';
import type { StoredRegistration } from '../../../engine/stored-event.ts';
import type { SubscriptionRow } from './subscription-rows.ts';

/** The user setting, and its default, that a channel setting of null inherits. */
const inheritedFrom = {
  audible_notifications: ['enable_stream_audible_notifications', false],
  desktop_notifications: ['enable_stream_desktop_notifications', false],
  email_notifications: ['enable_stream_email_notifications', false],
  push_notifications: ['enable_stream_push_notifications', false],
  wildcard_mentions_notify: ['wildcard_mentions_notify', true],
} as const;
type InheritedSetting = keyof typeof inheritedFrom;
const inheritedSettings = Object.keys(inheritedFrom) as InheritedSetting[];

/** The setting of channels that inherits a user setting; undefined if none does. */
export const inheritedBy = (userSetting: string): InheritedSetting | undefined =>
  inheritedSettings.find((name) => inheritedFrom[name][0] === userSetting);

/** The settings of one user for one channel. */
export type PersonalSettings = Pick<
  Subscription,
  'color' | 'is_muted' | 'in_home_view' | 'pin_to_top' | InheritedSetting
>;
export type InheritedSettings = Readonly<Record<InheritedSetting, boolean>>;
/** The part of a `subscription` event for one user, as the event log stores it. */
export interface PersonalSubscriptions {
  readonly own: readonly (PersonalSettings & { readonly stream_id: ChannelId })[];
  readonly inherited: InheritedSettings;
}

/** The personal settings of an event for one queue: without null, unless the client knows it. */
export const settingsFor = (
  { own, inherited }: PersonalSubscriptions,
  { capabilities }: StoredRegistration,
): PersonalSubscriptions['own'] =>
  capabilities.notification_settings_null ? own : own.map((one) => withoutNull(one, inherited));

export const ownOf = (row: SubscriptionRow): PersonalSettings => ({
  color: row.color,
  is_muted: row.is_muted,
  in_home_view: !row.is_muted,
  pin_to_top: row.pin_to_top,
  audible_notifications: row.audible_notifications,
  desktop_notifications: row.desktop_notifications,
  email_notifications: row.email_notifications,
  push_notifications: row.push_notifications,
  wildcard_mentions_notify: row.wildcard_mentions_notify,
});

/** The user's settings that channel settings of null inherit. */
export const inheritedOf = ({ settings }: Pick<User, 'settings'>): InheritedSettings =>
  Object.fromEntries(
    inheritedSettings.map((name) => {
      const [setting, fallback] = inheritedFrom[name];
      return [name, Boolean(settings[setting] ?? fallback)];
    }),
  ) as InheritedSettings;

/** Replaces null, for clients without the capability `notification_settings_null`. */
export const withoutNull = <S extends PersonalSettings>(
  own: S,
  inherited: InheritedSettings,
): S => ({
  ...own,
  ...Object.fromEntries(inheritedSettings.map((name) => [name, own[name] ?? inherited[name]])),
});
