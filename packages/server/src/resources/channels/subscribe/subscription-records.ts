import type { ChannelId, Subscription } from '@bellhop/protocol';

import type { User } from '../../../engine/caller.ts';
import type { SubscriptionRow } from './subscription-rows.ts';

/** What a channel setting of null means, for clients that do not know of null. */
const inheritedFrom = {
  audible_notifications: ['enable_stream_audible_notifications', false],
  desktop_notifications: ['enable_stream_desktop_notifications', false],
  email_notifications: ['enable_stream_email_notifications', false],
  push_notifications: ['enable_stream_push_notifications', false],
  wildcard_mentions_notify: ['wildcard_mentions_notify', true],
} as const;
type Inheriting = keyof typeof inheritedFrom;
const inheriting = Object.keys(inheritedFrom) as Inheriting[];

/** What a user has set for a channel. */
export type Own = Pick<
  Subscription,
  'color' | 'is_muted' | 'in_home_view' | 'pin_to_top' | Inheriting
>;
export type Inherited = Readonly<Record<Inheriting, boolean>>;
/** The same as the log keeps it, for the one user it is delivered to. */
export interface OwnOfReader {
  readonly own: readonly (Own & { readonly stream_id: ChannelId })[];
  readonly inherited: Inherited;
}

export const ownOf = (row: SubscriptionRow): Own => ({
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

/** The global settings that a channel setting of null falls back to. */
export const inheritedOf = ({ settings }: Pick<User, 'settings'>): Inherited =>
  Object.fromEntries(
    inheriting.map((name) => {
      const [setting, fallback] = inheritedFrom[name];
      return [name, Boolean(settings[setting] ?? fallback)];
    }),
  ) as Inherited;

/** Settings without null, for clients without the capability `notification_settings_null`. */
export const withoutNull = <S extends Own>(own: S, inherited: Inherited): S => ({
  ...own,
  ...Object.fromEntries(inheriting.map((name) => [name, own[name] ?? inherited[name]])),
});
