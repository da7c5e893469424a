import {
  type ChannelId,
  type DisplayRecipient,
  type Message,
  type MessageId,
  type Reaction,
  type RecipientId,
  shownTopic,
  type Submessage,
} from '@bellhop/protocol';

import type { Realm, User } from '../../engine/caller.ts';
import { topicLinks } from '../../markdown/topic-links.ts';
import { settingsOf } from '../realms/realm-settings.ts';
import { apiEmail, avatarUrl } from '../users/user-record.ts';
import { visibleHistory, withShownHistory } from './edit/edit-history.ts';

/** A message in both forms, before it is shown to somebody: content is raw, the topic may be empty. */
export interface StoredMessage extends Omit<Message, 'content_type' | 'avatar_url'> {
  readonly rendered_content: string;
  readonly avatar_url: string;
  /** Whether a client can compute the avatar, because the real e-mail address is known to all. */
  readonly avatar_computable: boolean;
}

export interface MessageRow {
  readonly id: MessageId;
  readonly recipient_id: RecipientId;
  readonly channel_id: ChannelId | null;
  readonly topic: string;
  readonly content: string;
  readonly rendered_content: string;
  readonly sent_at: number;
  readonly client: string;
  readonly is_me_message: boolean;
  readonly edit_history: NonNullable<Message['edit_history']> | null;
  readonly last_edited_at: number | null;
  readonly last_moved_at: number | null;
  /** Null or left out where there are none. */
  readonly reactions?: readonly Reaction[] | null;
  readonly submessages?: readonly Submessage[] | null;
}

/** Joins a row with what it refers to. `place` is the channel's name, or the participants. */
export function storedMessage(
  row: MessageRow,
  { realm, sender, place }: { realm: Realm; sender: User; place: string | readonly User[] },
): StoredMessage {
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
    sender_email: apiEmail(sender, realm),
    sender_full_name: sender.full_name,
    sender_realm_str: realm.subdomain,
    avatar_url: avatarUrl(sender, realm),
    avatar_computable: apiEmail(sender, realm) === sender.delivery_email,
    client: row.client,
    display_recipient:
      typeof place === 'string' ? place : place.map((user) => participant(user, realm)),
    recipient_id: row.recipient_id,
    timestamp: row.sent_at,
    is_me_message: row.is_me_message,
    reactions: [...(row.reactions ?? [])],
    submessages: [...(row.submessages ?? [])],
    topic_links: row.channel_id === null ? [] : topicLinks(row.topic),
    ...(edit_history ? { edit_history } : {}),
    ...(row.last_edited_at === null ? {} : { last_edit_timestamp: row.last_edited_at }),
    ...(row.last_moved_at === null ? {} : { last_moved_timestamp: row.last_moved_at }),
  };
}

const participant = (user: User, realm: Realm): DisplayRecipient => ({
  id: user.id,
  email: apiEmail(user, realm),
  full_name: user.full_name,
  is_mirror_dummy: false,
});

export interface Taste {
  readonly apply_markdown: boolean;
  readonly client_gravatar: boolean;
  readonly allow_empty_topic_name: boolean;
}

/** A message the way one client wants it. */
export function shownMessage(stored: StoredMessage, taste: Taste): Message {
  const { rendered_content, avatar_computable, ...message } = stored;
  const shown: Message = {
    ...message,
    subject:
      stored.type === 'stream' ? shownTopic(stored.subject, taste.allow_empty_topic_name) : '',
    content: taste.apply_markdown ? rendered_content : stored.content,
    content_type: taste.apply_markdown ? 'text/html' : 'text/x-markdown',
    avatar_url: taste.client_gravatar && avatar_computable ? null : stored.avatar_url,
  };
  return withShownHistory(shown, taste.allow_empty_topic_name);
}
