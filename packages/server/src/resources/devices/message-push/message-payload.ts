import { MAX_PUSH_BYTES, type PushPayload, shownTopic, type UserId } from '@bellhop/protocol';

import type { Realm, User } from '../../../engine/caller.ts';
import { cutText } from '../../../model/devices/message-push/cut-text.ts';
import type { MessageRow } from '../../../model/messages/message.ts';
import { unknownUser } from '../../../model/users/unknown-user.ts';
import { avatarUrl } from '../../../model/users/user-record.ts';

/** Characters of the text; a longer one is cut. */
const MAX_CONTENT_CHARACTERS = 200;

type PayloadOfMessage = Extract<PushPayload, { type: 'message' }>;

interface MentionedGroup {
  readonly id: number;
  readonly name: string;
}

export interface MessageForPush {
  readonly realm: Realm;
  readonly row: MessageRow;
  readonly sender: User;
  /** The whole text of the message. */
  readonly text: string;
}

/** The fields of a push that differ between the recipients of a message. */
export interface PushReader {
  readonly user_id: UserId;
  readonly isSenderHidden: boolean;
  /** The group whose mention is the reason for the push. */
  readonly group: MentionedGroup | undefined;
}

/**
 * The payload of a message for one user, at most MAX_PUSH_BYTES as JSON: the text is cut, after 200
 * characters or before. The sender is unknown to a user who may not see them.
 */
export function messagePayload(message: MessageForPush, reader: PushReader): PayloadOfMessage {
  const { realm, row, text } = message;
  const sender = reader.isSenderHidden ? unknownUser(message.sender) : message.sender;
  const payload: PayloadOfMessage = {
    type: 'message',
    realm_url: realm.url,
    realm_name: realm.name,
    user_id: reader.user_id,
    ...conversationOf(row, reader),
    message_id: row.id,
    sender_id: sender.id,
    sender_full_name: sender.full_name,
    sender_avatar_url: avatarUrl(sender, realm),
    time: row.sent_at,
    content: '',
  };
  const room = MAX_PUSH_BYTES - Buffer.byteLength(JSON.stringify(payload));
  return { ...payload, content: cutText(text, room, MAX_CONTENT_CHARACTERS) };
}

/** Bytes of the participants of a direct message. More of them are left out. */
const MAX_PARTICIPANTS_BYTES = 2_000;

/** A direct message names its participants only if there are more than two (feature levels 413 to 428). */
function conversationOf(row: MessageRow, { group }: PushReader) {
  const { channel_id, channel_name, topic, user_ids } = row;
  if (channel_id === null) {
    const pm_users = (user_ids ?? []).toSorted((a, b) => a - b).join(',');
    const isGroup = (user_ids ?? []).length > 2 && pm_users.length <= MAX_PARTICIPANTS_BYTES;
    return { recipient_type: 'direct' as const, ...(isGroup ? { pm_users } : {}) };
  }
  return {
    recipient_type: 'channel' as const,
    channel_id,
    channel_name: channel_name ?? '',
    topic: shownTopic(topic, false),
    ...(group ? { mentioned_user_group_id: group.id, mentioned_user_group_name: group.name } : {}),
  };
}
