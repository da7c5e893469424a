import { names, type SpecSection } from './spec-section.ts';

export const channels: readonly SpecSection[] = [
  {
    section: 'Create a channel',
    route: 'POST /channels/create',
    parametersSince: {
      folder_id: 389,
      topics_policy: 404,
      can_add_subscribers_group: 342,
      can_administer_channel_group: 325,
      can_delete_any_message_group: 407,
      can_delete_own_message_group: 407,
      can_move_messages_out_of_channel_group: 396,
      can_move_messages_within_channel_group: 396,
      can_remove_subscribers_group: 142,
      can_send_message_group: 333,
      can_subscribe_group: 357,
    },
    since: 417,
    defaults: {
      announce: false,
      invite_only: false,
      is_web_public: false,
      is_default_stream: false,
      topics_policy: 'inherit',
    },
    values: {
      topics_policy: ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'],
    },
    parameters: names(`
      name description subscribers announce invite_only is_web_public is_default_stream folder_id
      topics_policy history_public_to_subscribers message_retention_days can_add_subscribers_group
      can_delete_any_message_group can_delete_own_message_group can_remove_subscribers_group
      can_administer_channel_group can_move_messages_out_of_channel_group
      can_move_messages_within_channel_group can_send_message_group can_subscribe_group`),
    events: names('stream subscription message'),
    rules: {
      'The listed users are subscribed, and nobody else':
        'channels/create/create-endpoint.test.ts > returns the id of the channel and subscribes exactly the listed users',
      'The notification bot announces the channel if announce is set':
        'channels/create/create-endpoint.test.ts > a channel is announced if announce is set and somebody is subscribed',
      'A web-public channel requires that the server allows such channels':
        'queues/spectators.test.ts > a server with web-public channels switched off has none and admits nobody without a login',
      'A web-public channel requires spectator access and can_create_web_public_channel_group':
        'channels/create/new-channel.test.ts > a web-public channel requires enable_spectator_access and can_create_web_public_channel_group',
      'The default channels are changed by administrators only':
        'channels/create/new-channel.test.ts > only administrators create default channels, and only public ones',
      'topics_policy decides which topics accept messages':
        'messages/send/send-channel.test.ts > is rejected if the topics policy of the channel does not allow it',
      'topics_policy requires can_set_topics_policy_group':
        'channels/create/new-channel.test.ts > topics_policy requires can_set_topics_policy_group',
      'history_public_to_subscribers decides whether new subscribers read earlier messages':
        'messages/fetch/fetch-messages.test.ts > subscribers can read the history of a private channel only if it is shared',
      'message_retention_days is a number, realm_default, unlimited or forever':
        'channels/create/create-endpoint.test.ts > accepts message_retention_days as a bare word and as JSON text',
      'Permissions are named groups, or lists of users and groups':
        'channels/create/new-channel.test.ts > a permission of a new channel is a named group, or lists users and groups',
      'can_add_subscribers_group decides who adds others; administrators may in public channels':
        'channels/subscribe/subscribing-refusals.test.ts > adding others requires can_add_subscribers_group of the realm or of the channel',
      'can_remove_subscribers_group decides who removes others; administrators always may':
        'channels/subscribe/unsubscribing.test.ts > belongs to administrators, channel administrators and can_remove_subscribers_group',
      'can_send_message_group decides who posts':
        'messages/send/send-channel.test.ts > only members of can_send_message_group may post',
      'can_subscribe_group opens a private channel; guests subscribe to no public channel':
        'channels/subscribe/subscribing-refusals.test.ts > guests create no channel, subscribe to no public channel and add no other user',
      'can_move_messages_within_channel_group and can_move_messages_out_of_channel_group decide who moves messages':
        'messages/move/move-channel.test.ts > comes from the realm, the channel the message leaves, or its administration',
      'A name or description that is too long is refused':
        'channels/create/create-endpoint.test.ts > a bad name, description, subscriber or folder is BAD_REQUEST, and nothing is created',
      'Each permission of a channel is granted by the group of its setting, directly or nested':
        'test/permissions.test.ts > each setting of realm, channel and user group grants a permission',
      'Nobody but the group of a setting has its permission, unless a role gives it':
        'test/permissions.test.ts > roles without a setting',
      'Administrators always may remove subscribers and administer channels':
        'test/permissions.test.ts > roles without a setting',
      'Administrators and similar roles of the realm add subscribers to public channels':
        'channels/access.test.ts > %s, everybody in %s',
      'Nobody adds others to a private channel that they cannot read, not even administrators':
        'channels/access.test.ts > an administrator adds nobody to a private channel that they may not read',
      'Members of can_add_subscribers_group need not be subscribed to a private channel':
        'channels/subscribe/subscribing-refusals.test.ts > adding others requires can_add_subscribers_group of the realm or of the channel',
      'inherit follows realm_topics_policy for the empty topic':
        'messages/send/send-channel.test.ts > is rejected if the topics policy of the channel does not allow it',
      'empty_topic_only needs all messages of the channel to be in the empty topic':
        'channels/update/update-channel.test.ts > empty_topic_only requires that no message has a named topic',
      'Permissions that open content can be changed only with access to the content':
        'channels/update/update-channel.test.ts > an administrator who may not read a private channel changes neither privacy nor readers',
      'can_delete_any_message_group and can_delete_own_message_group decide who deletes':
        'messages/delete/delete-message.test.ts > can_delete_own_message_group of the realm or the channel permits deleting own messages',
      'Guests create no channel':
        'channels/create/create-endpoint.test.ts > guests, and members outside the group of the realm, may create no channel',
      'The limits of name and description are in the initial state':
        'queues/register.test.ts > the limits of the names and descriptions of channels',
    },
  },
];
