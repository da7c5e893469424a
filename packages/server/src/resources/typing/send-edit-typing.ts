import type { MessageId, UserId } from '@bellhop/protocol';

import type { App } from '../../engine/app.ts';
import type { Change, Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import type { ChannelRow } from '../../model/channels/channel-rows.ts';
import { changeableMessage } from '../../model/messages/changeable-message.ts';
import { requireCanEditContent } from '../../model/messages/edit/edit-content.ts';
import { messageReaders } from '../../model/messages/read/message-readers.ts';
import { recipientFlags } from '../../model/messages/read/recipient-flags.ts';
import { MAX_TYPING_SUBSCRIBERS, requireSends } from '../../model/typing/access.ts';
import * as users from '../../model/users/queries.ts';

interface EditTypingCall extends Pick<Change<'typing_edit_message'>, 'db' | 'emit'> {
  readonly app: App;
  readonly realm: Realm;
  readonly user: User;
  readonly params: { readonly message_id: MessageId; readonly op: 'start' | 'stop' };
}

/**
 * Tells the readers of a message that its sender edits it: the other subscribers of a channel who may
 * read the message, or all participants of a direct message. Throws BAD_REQUEST unless the user may
 * edit the content of the message.
 */
export async function sendEditTyping({
  app,
  realm,
  user,
  params: { message_id, op },
  db,
  emit,
}: EditTypingCall): Promise<{}> {
  const target = await changeableMessage(db, { realm, user }, message_id);
  requireCanEditContent({ realm, user, now: app.now(), target });
  const event = { type: 'typing_edit_message', op, sender_id: user.id, message_id } as const;
  const { channel, topic } = target;
  if (channel === null) {
    requireSends('send_private_typing_notifications', { user, realm });
    const received = await recipientFlags(db, realm.id, message_id);
    const user_ids = received.map(({ user_id }) => user_id);
    const receivers = await users.receivingTyping(db, realm.id, user_ids);
    emit({ ...event, recipient: { type: 'direct', user_ids } }, receivers);
    return {};
  }
  requireSends('send_stream_typing_notifications', { user, realm });
  if (channel.subscriber_count > MAX_TYPING_SUBSCRIBERS) return {};
  const readers = await readingSubscribers(db, realm, { id: message_id, channel });
  const others = readers.filter((id) => id !== user.id);
  const receivers = await users.receivingTyping(db, realm.id, others);
  emit({ ...event, recipient: { type: 'channel', channel_id: channel.id, topic } }, receivers);
  return {};
}

/** The subscribers of the channel of a message who may read the message. */
async function readingSubscribers(
  db: Db,
  realm: Realm,
  { id, channel }: { readonly id: MessageId; readonly channel: ChannelRow },
): Promise<UserId[]> {
  const readers = await messageReaders(db, { realm: realm.id, ids: [id], channels: [channel.id] });
  return readers
    .filter(
      ({ received, reaches, subscribed }) =>
        subscribed.length > 0 && reaches.length > 0 && (received || channel.shares_history),
    )
    .map(({ user_id }) => user_id);
}
