import type {
  ChannelId,
  EditHistoryEntry,
  MessageId,
  RealmId,
  RecipientId,
  UserId,
} from '@bellhop/protocol';
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely';
import type { z } from 'zod';

export interface MessagesTables {
  recipient: {
    id: Generated<RecipientId>;
    realm_id: RealmId;
    channel_id: ChannelId | null;
    user_ids: UserId[] | null;
  };
  message: {
    id: Generated<MessageId>;
    realm_id: RealmId;
    sender_id: UserId;
    recipient_id: RecipientId;
    channel_id: ChannelId | null;
    topic: string;
    content: string;
    rendered_content: string;
    /** UNIX seconds. */
    sent_at: number;
    client: string;
    is_me_message: Generated<boolean>;
    has_link: Generated<boolean>;
    has_image: Generated<boolean>;
    has_attachment: Generated<boolean>;
    edit_history: JSONColumnType<z.output<typeof EditHistoryEntry>[]> | null;
    last_edited_at: number | null;
    last_moved_at: number | null;
    search: GeneratedAlways<string>;
  };
  /** Messages that somebody has not read; the mails of missed messages look at them later. */
  mail_check: { realm_id: RealmId; message_id: MessageId };
  user_message: { realm_id: RealmId; user_id: UserId; message_id: MessageId; flags: number };
}
