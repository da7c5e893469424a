import {
  type ChannelGroupSetting,
  type RealmGroupSetting,
  roles,
  type UserGroupId,
} from '@bellhop/protocol';

import type { Realm, User } from '../../engine/caller.ts';
import { grantsRole } from '../realms/permission-settings.ts';

/**
 * Every rule about what a user may do with a channel. Rules that statements over many channels or
 * users also need exist in SQL too (migrations, channel_is_visible and the others beside it);
 * access.test.ts compares every answer of both.
 */

/** The columns of a channel that decide about rights. */
export interface ChannelSettings extends Readonly<Record<ChannelGroupSetting, UserGroupId>> {
  readonly invite_only: boolean;
  readonly is_web_public: boolean;
  readonly history_public_to_subscribers: boolean;
}

/** A user with all groups they belong to, and the permissions that the realm gives to groups. */
export interface Viewer {
  readonly user: Pick<User, 'role'>;
  readonly groups: ReadonlySet<UserGroupId>;
  readonly realm: Pick<Realm, 'group_settings'>;
}

/** The rights of one user in one channel. */
export interface ChannelAccess {
  readonly isSubscribed: boolean;
  /** Name, description, settings and subscribers. */
  readonly seesMetadata: boolean;
  /** Messages, and subscribing oneself (spec, Create a channel). */
  readonly readsContent: boolean;
  /** Messages from before the user came. */
  readonly readsHistory: boolean;
  readonly administers: boolean;
  readonly addsSubscribers: boolean;
  /** Unsubscribes other users. */
  readonly removesSubscribers: boolean;
  /** Changes topics of messages in the channel. */
  readonly movesWithin: boolean;
  /** Moves messages to other channels. */
  readonly movesOut: boolean;
  readonly resolvesTopics: boolean;
}

export function channelAccess(
  viewer: Viewer,
  channel: ChannelSettings,
  isSubscribed: boolean,
): ChannelAccess {
  const { groups, realm } = viewer;
  const { role } = viewer.user;
  const isGuest = role >= roles.guest;
  const isAdmin = role <= roles.admin;
  const isIn = (setting: ChannelGroupSetting) =>
    groups.has(channel[setting]) && grantsRole('stream', setting, role);
  const isInRealm = (setting: RealmGroupSetting) =>
    groups.has(realm.group_settings[setting]) && grantsRole('realm', setting, role);
  const readsContent =
    isSubscribed ||
    channel.is_web_public ||
    (!isGuest &&
      (isPublic(channel) || isIn('can_subscribe_group') || isIn('can_add_subscribers_group')));
  const administers = isAdmin || (!isGuest && isIn('can_administer_channel_group'));
  const changesMessages = (ofRealm: RealmGroupSetting, ofChannel: ChannelGroupSetting) =>
    administers || isInRealm(ofRealm) || isIn(ofChannel);
  return {
    isSubscribed,
    seesMetadata: readsContent || administers,
    readsContent,
    readsHistory: readsContent && sharesHistory(channel),
    administers,
    addsSubscribers:
      !isGuest &&
      readsContent &&
      (administers || isInRealm('can_add_subscribers_group') || isIn('can_add_subscribers_group')),
    removesSubscribers: administers || (readsContent && isIn('can_remove_subscribers_group')),
    movesWithin: changesMessages(
      'can_move_messages_between_topics_group',
      'can_move_messages_within_channel_group',
    ),
    movesOut: changesMessages(
      'can_move_messages_between_channels_group',
      'can_move_messages_out_of_channel_group',
    ),
    resolvesTopics: changesMessages('can_resolve_topics_group', 'can_resolve_topics_group'),
  };
}

/** The users whose messages a user may delete in a channel, or in direct messages (null). */
export function deletionRights(
  { user: { role }, groups, realm }: Viewer,
  channel: ChannelSettings | null,
): { readonly deletesAny: boolean; readonly deletesOwn: boolean } {
  const isGiven = (setting: 'can_delete_any_message_group' | 'can_delete_own_message_group') =>
    (groups.has(realm.group_settings[setting]) && grantsRole('realm', setting, role)) ||
    (channel !== null && groups.has(channel[setting]) && grantsRole('stream', setting, role));
  return {
    deletesAny: isGiven('can_delete_any_message_group'),
    deletesOwn: isGiven('can_delete_own_message_group'),
  };
}

/** Everybody but guests reads a public channel without being subscribed. */
export const isPublic = ({ invite_only }: Pick<ChannelSettings, 'invite_only'>): boolean =>
  !invite_only;

/** Whether readers of a channel may read messages from before they could read it. */
export const sharesHistory = (
  channel: Pick<ChannelSettings, 'invite_only' | 'history_public_to_subscribers'>,
): boolean => isPublic(channel) || channel.history_public_to_subscribers;

/**
 * A channel with the settings that decide whether a sender may post in it, as of the current
 * transaction.
 */
export interface PostingSettings {
  readonly name: string;
  readonly invite_only: boolean;
  readonly is_archived: boolean;
  readonly sender_role: User['role'];
  /** The sender, or the owner of a sending bot. */
  readonly is_subscribed: boolean;
  /** The sender, or the owner of a sending bot, belongs to `can_send_message_group`. */
  readonly in_send_group: boolean;
}

/**
 * Whether the sender may post: guests post only where they are subscribed, others also in public
 * channels, nobody in an archived channel or outside its `can_send_message_group`.
 */
export function canPost(channel: PostingSettings): boolean {
  const { is_archived, sender_role, is_subscribed, in_send_group } = channel;
  const isWithinReach = is_subscribed || (isPublic(channel) && sender_role < roles.guest);
  return isWithinReach && !is_archived && in_send_group;
}
