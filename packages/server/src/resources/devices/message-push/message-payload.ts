import { MAX_PUSH_BYTES, type PushPayload, shownTopic, type UserId } from '@bellhop/protocol';

import type { Realm, User } from '../../../engine/caller.ts';
import type { ActiveDevice } from '../../../model/devices/active-devices.ts';
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
  readonly form: ActiveDevice['form'];
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

/** Bytes of the participants of a direct message. */
const MAX_PARTICIPANTS_BYTES = 2_000;

function conversationOf(row: MessageRow, { group, form }: PushReader) {
  const { channel_id, channel_name, topic, user_ids } = row;
  if (channel_id === null) {
    return { recipient_type: 'direct' as const, ...participantsOf(user_ids ?? [], form) };
  }
  return {
    recipient_type: 'channel' as const,
    channel_id,
    channel_name: channel_name ?? '',
    topic: shownTopic(topic, false),
    ...(group ? { mentioned_user_group_id: group.id, mentioned_user_group_name: group.name } : {}),
  };
}

/**
 * The participants of a direct message, as phones of level 429 and later read them, and as those before do,
 * who get only those of a group. Where both are too long, a phone gets its own: `pm_users` is left out
 * if it is too long alone, and the list, without which apps show nothing, is cut.
 */
function participantsOf(user_ids: readonly UserId[], form: PushReader['form']) {
  const recipient_user_ids = user_ids.toSorted((a, b) => a - b);
  const pm_users = recipient_user_ids.join(',');
  const isGroup = recipient_user_ids.length > 2;
  if (pm_users.length * 2 <= MAX_PARTICIPANTS_BYTES)
    return { ...(isGroup ? { pm_users } : {}), recipient_user_ids };
  if (form === 'account') return pm_users.length <= MAX_PARTICIPANTS_BYTES ? { pm_users } : {};
  while (recipient_user_ids.join(',').length > MAX_PARTICIPANTS_BYTES) recipient_user_ids.pop();
  return { recipient_user_ids };
}
