import type { Change } from '../../engine/call.ts';
import type { Actor, User } from '../../engine/caller.ts';
import type { ChannelRow } from '../../model/channels/channel-rows.ts';
import { postableChannel } from '../../model/channels/postable-channel.ts';
import type { SendRequest } from '../../model/messages/message.ts';
import * as users from '../../model/users/queries.ts';
import { sendMessage } from '../messages/send/send-message.ts';

/** The topic of notices about a channel, if its topics policy allows named topics. */
export const CHANNEL_EVENTS_TOPIC = 'channel events';

interface ChannelNotice {
  readonly channel: Pick<ChannelRow, 'id' | 'name'>;
  readonly content: string;
  /** The users for whom the notice counts as read. Default: the user who acted. */
  readonly read_by?: SendRequest['read_by'];
}

/** Sends a notice of the notification bot to a channel, which may mention the actor; none to an archived one. */
export async function sendChannelNotice(
  change: Change<'message' | 'stream'>,
  { realm, user, now }: Actor,
  { channel, content, read_by = [user.id] }: ChannelNotice,
): Promise<void> {
  const { db } = change;
  const sender = await users.systemBot(db, realm.id, 'notification-bot');
  const to = await postableChannel(db, sender, { id: channel.id });
  if (!to || to.is_archived) return;
  await sendMessage(change, {
    realm,
    sender,
    client: 'Internal',
    now,
    to: {
      channel: to,
      topic: to.topics_policy === 'empty_topic_only' ? '' : CHANNEL_EVENTS_TOPIC,
    },
    content,
    resolves: { users: [user], channels: [] },
    read_by_sender: true,
    read_by,
  });
}

/** The user in a notice, without notifying them. */
export const mention = ({ full_name, id }: Pick<User, 'full_name' | 'id'>): string =>
  `@_**${full_name}|${id}**`;
