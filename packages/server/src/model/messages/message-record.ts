import { type DisplayRecipient, type Message, shownTopic } from '@bellhop/protocol';

import type { Db } from '../../engine/call.ts';
import type { Realm, User } from '../../engine/caller.ts';
import { isSpectator } from '../../engine/spectator.ts';
import { topicLinks } from '../../markdown/topic-links.ts';
import { settingsOf } from '../realms/realm-settings.ts';
import { visibleAmong } from '../users/access.ts';
import * as users from '../users/queries.ts';
import { unknownUser, withoutAddress } from '../users/unknown-user.ts';
import { apiEmail, avatarUrl, isAvatarComputable } from '../users/user-record.ts';
import { visibleHistory, withShownHistory } from './edit/edit-history.ts';
import type { MessageRecord, MessageRow } from './message.ts';

interface RowContext {
  readonly realm: Realm;
  readonly sender: User;
  /** The users of `row.user_ids`. */
  readonly participants: readonly User[];
}

/** The sender of a message, as a message shows them. */
export const senderFields = (sender: User, realm: Pick<Realm, 'url'>) => ({
  sender_email: apiEmail(sender, realm),
  sender_full_name: sender.full_name,
  avatar_url: avatarUrl(sender, realm),
  avatar_computable: isAvatarComputable(sender, realm),
});

/** Joins a row with its sender and conversation. */
export function messageRecord(
  row: MessageRow,
  { realm, sender, participants }: RowContext,
): MessageRecord {
  const { message_edit_history_visibility_policy: policy } = settingsOf(realm);
  const edit_history = visibleHistory(policy, row.edit_history);
  return {
    id: row.id,
    type: row.channel_id === null ? 'private' : 'stream',
    ...(row.channel_id === null ? {} : { stream_id: row.channel_id }),
    subject: row.topic,
    content: row.content,
    rendered_content: row.rendered_content,
    sender_id: sender.id,
    ...senderFields(sender, realm),
    sender_realm_str: realm.subdomain,
    client: row.client,
    display_recipient: row.channel_name ?? participants.map((user) => displayed(user, realm)),
    recipient_id: row.recipient_id,
    timestamp: row.sent_at,
    is_me_message: row.is_me_message,
    reactions: [...(row.reactions ?? [])],
    submessages: [...(row.submessages ?? [])],
    topic_links: row.channel_id === null ? [] : topicLinks(row.topic, realm.linkifiers),
    ...(edit_history ? { edit_history } : {}),
    ...(row.last_edited_at === null ? {} : { last_edit_timestamp: row.last_edited_at }),
    ...(row.last_moved_at === null ? {} : { last_moved_timestamp: row.last_moved_at }),
  };
}

const displayed = (user: User, realm: Realm): DisplayRecipient => ({
  id: user.id,
  email: apiEmail(user, realm),
  full_name: user.full_name,
  is_mirror_dummy: false,
});

interface RecordOfRow {
  readonly message: MessageRecord;
  /** Empty for channel messages. */
  readonly participants: readonly User[];
}

/**
 * The records of rows in their order, with "Unknown user" in place of senders whom the viewer may not
 * see. Reads all senders and participants in one statement.
 */
export async function messageRecords(
  db: Db,
  { realm, viewer }: { realm: Realm; viewer: User },
  rows: readonly MessageRow[],
): Promise<RecordOfRow[]> {
  const ids = new Set(rows.flatMap(({ sender_id, user_ids }) => [sender_id, ...(user_ids ?? [])]));
  if (ids.size === 0) return [];
  const found = await users.byIds(db, realm.id, [...ids]);
  const visible = new Set(await visibleAmong(db, { realm, viewer }, found));
  const shown = isSpectator(viewer) ? withoutAddress : (user: User) => user;
  const byId = new Map(
    found.map((user) => [user.id, visible.has(user) ? shown(user) : unknownUser(user)]),
  );
  const userOf = (id: User['id']) => {
    const user = byId.get(id);
    if (!user) throw new Error(`User ${id} of a message is not in its realm`);
    return user;
  };
  return rows.map((row) => {
    const participants = (row.user_ids ?? []).map(userOf);
    const sender = userOf(row.sender_id);
    return { message: messageRecord(row, { realm, sender, participants }), participants };
  });
}

/** The form of messages that a client asked for. */
export interface MessageForm {
  readonly apply_markdown: boolean;
  readonly client_gravatar: boolean;
  readonly allow_empty_topic_name: boolean;
}

/** A message in the format that one client asked for. */
export function messageForClient(record: MessageRecord, options: MessageForm): Message {
  const { rendered_content, avatar_computable, ...message } = record;
  const { apply_markdown, client_gravatar, allow_empty_topic_name } = options;
  const shown: Message = {
    ...message,
    subject: message.type === 'stream' ? shownTopic(message.subject, allow_empty_topic_name) : '',
    content: apply_markdown ? rendered_content : message.content,
    content_type: apply_markdown ? 'text/html' : 'text/x-markdown',
    avatar_url: client_gravatar && avatar_computable ? null : message.avatar_url,
  };
  return withShownHistory(shown, allow_empty_topic_name);
}
