import type { Permission } from '../../wire/permission.ts';
import { postInChannel } from '../channels/channel-permissions.ts';

const deleteAny = [
  'realm.can_delete_any_message_group',
  'channel.can_delete_any_message_group',
] as const;
const deleteOwn = [
  'realm.can_delete_own_message_group',
  'channel.can_delete_own_message_group',
] as const;

export const deleteMessage: readonly Permission[] = [
  {
    to: 'delete your own message',
    where: 'the caller or one of their bots sent it',
    grants: [...deleteAny, ...deleteOwn],
  },
  {
    to: 'delete a message of another user',
    where: 'another user sent the message',
    grants: deleteAny,
  },
];

export const deleteTopic: Permission = { to: 'delete messages of others', grants: deleteAny };

const administer = ['admin', 'channel.can_administer_channel_group'] as const;

export const editMessage: readonly Permission[] = [
  { to: 'edit the content', when: 'content', grants: ['own'] },
  {
    to: 'change the topic',
    when: 'topic',
    grants: [
      ...administer,
      'realm.can_move_messages_between_topics_group',
      'channel.can_move_messages_within_channel_group',
    ],
  },
  {
    to: 'move messages to another channel',
    when: 'stream_id',
    grants: [
      ...administer,
      'realm.can_move_messages_between_channels_group',
      'channel.can_move_messages_out_of_channel_group',
    ],
  },
  {
    to: 'resolve topics',
    when: 'topic',
    where: 'only the mark of a resolved topic changes',
    grants: [...administer, 'realm.can_resolve_topics_group', 'channel.can_resolve_topics_group'],
  },
];

/** The permissions that sending a message, now or later, requires. Bots may write to everybody. */
export const sendMessage: readonly Permission[] = [
  postInChannel,
  {
    to: 'send direct messages',
    when: 'type=direct',
    where: 'neither the sender nor all recipients are bots',
    grants: ['realm.direct_message_permission_group'],
  },
  {
    to: 'begin a direct conversation',
    when: 'type=direct',
    where: 'the conversation is new',
    grants: ['realm.direct_message_initiator_group'],
  },
  {
    to: 'mention everybody in a large channel',
    when: 'type=channel',
    where: 'the channel has more than 15 subscribers',
    grants: ['realm.can_mention_many_users_group'],
    refusal: 'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
  },
  {
    to: 'mention a user group',
    where: 'the content mentions the group',
    grants: ['group.can_mention_group'],
  },
];
