import type { Permission } from '../../wire/permission.ts';

export const administerChannel: Permission = {
  to: 'administer the channel',
  grants: ['admin', 'channel.can_administer_channel_group'],
};

export const postInChannel: Permission = {
  to: 'post in the channel',
  when: 'type=channel',
  grants: ['channel.can_send_message_group'],
};

/**
 * The permissions that a new or changed channel requires. `privacy` is the parameter that makes it
 * private.
 */
const channelPermissions = (privacy: 'invite_only' | 'is_private'): readonly Permission[] => [
  {
    to: 'make a channel private',
    when: `${privacy}=true`,
    grants: ['realm.can_create_private_channel_group'],
  },
  {
    to: 'make a channel web-public',
    when: 'is_web_public=true',
    grants: ['realm.can_create_web_public_channel_group'],
  },
  { to: 'choose default channels', when: 'is_default_stream=true', grants: ['admin'] },
  {
    to: 'set how long messages are kept',
    when: 'message_retention_days',
    grants: ['owner'],
    refusal: 'UNAUTHORIZED_PRINCIPAL',
  },
  {
    to: 'set the topics policy',
    when: 'topics_policy',
    grants: ['realm.can_set_topics_policy_group'],
  },
  {
    to: 'let a group delete all messages',
    when: 'can_delete_any_message_group',
    grants: ['realm.can_set_delete_message_policy_group'],
  },
  {
    to: 'let a group delete its own messages',
    when: 'can_delete_own_message_group',
    grants: ['realm.can_set_delete_message_policy_group'],
  },
];

export const createChannel: readonly Permission[] = [
  {
    to: 'create a public channel',
    when: 'invite_only=false',
    grants: ['realm.can_create_public_channel_group'],
  },
  ...channelPermissions('invite_only'),
];

export const changeChannel: readonly Permission[] = [
  administerChannel,
  {
    to: 'make a private channel public',
    when: 'is_private=false',
    where: 'the channel is private',
    grants: ['realm.can_create_public_channel_group'],
  },
  ...channelPermissions('is_private'),
];

/** The permissions that subscribing oneself to channels requires. */
export const subscribe: readonly Permission[] = [
  {
    to: 'subscribe to a public channel',
    where: 'the channel is public and the caller is not subscribed',
    grants: ['member'],
  },
  {
    to: 'subscribe to a private channel',
    where: 'the channel is private and the caller is not subscribed',
    grants: ['channel.can_subscribe_group', 'channel.can_add_subscribers_group'],
  },
];

export const subscribeOthers: Permission = {
  to: 'subscribe other users',
  when: 'principals',
  grants: [
    'admin',
    'channel.can_administer_channel_group',
    'channel.can_add_subscribers_group',
    'realm.can_add_subscribers_group',
  ],
};

export const unsubscribeOthers: Permission = {
  to: 'unsubscribe other users than your own bots',
  when: 'principals',
  grants: ['admin', 'channel.can_administer_channel_group', 'channel.can_remove_subscribers_group'],
};
