import type {
  ChannelId,
  Message,
  MessageId,
  Reaction,
  RecipientId,
  Submessage,
  UserId,
} from '@bellhop/protocol';

import type { Realm, User } from '../../engine/caller.ts';
import type { PostableChannel } from '../channels/postable-channel.ts';
import type { Direct, TopicIn } from '../conversation.ts';
import type { NoticeNames, RenderedContent } from './render-content.ts';

/**
 * The forms of a message, in the order in which it takes them:
 *
 * 1. `SendRequest`: who sends what, and where.
 * 2. `RenderedMessage`: checked, rendered, with its recipients; ready to be stored.
 * 3. `MessageRow`: as stored, with the name or the participants of its conversation.
 * 4. `MessageRecord`: a row with its sender and conversation; the payload of a `message` event.
 * 5. `Message` of the protocol: a record in the form that one client asked for.
 */

/** The destination of a message, after the check that the sender may write there. */
export type Destination = TopicIn<PostableChannel> | DirectDestination;

export interface DirectDestination extends Direct<readonly User[]> {
  /** Undefined if it was not looked up, or does not exist yet. */
  readonly recipient_id?: RecipientId | undefined;
}

export interface SendRequest<To = Destination> {
  readonly realm: Realm;
  readonly sender: User;
  readonly client: string;
  /** UNIX time in seconds. */
  readonly now: number;
  readonly to: To;
  /** Markdown, as `checkContent` returns it. */
  readonly content: string;
  /** The rendered content, if it was rendered before the transaction. */
  readonly rendered?: RenderedContent | undefined;
  /** The widget to start, as JSON text that has been checked. */
  readonly widget_content?: string | undefined;
  /**
   * The only users and channels whose names the content resolves, for a notice of the server: it
   * may quote texts of people, and must not resolve names in them with the rights of the sending
   * bot. Wildcards and groups mention nobody then. Undefined: every name that the sender may see.
   */
  readonly resolves?: NoticeNames | undefined;
  readonly read_by_sender: boolean;
  /**
   * Other users for whom the message counts as read: for a notice, the user who acted; or those who alone have
   * it unread.
   */
  readonly read_by?: readonly UserId[] | { readonly allBut: readonly UserId[] };
  /** The sender's queue, which gets `local_id` with the event. */
  readonly echo?: { readonly queue_id: string; readonly local_id: string };
}

export interface RenderedMessage {
  readonly request: SendRequest;
  readonly row: MessageRow;
  readonly content: RenderedContent;
  readonly recipients: Recipients;
}

/** Who gets a message: the participants of a direct message, or the subscribers of a channel. */
export interface Recipients {
  /** The flags of all subscribers who are not in `flags`. */
  readonly common: number;
  /** The flags of single subscribers, of those who have others; of all participants. */
  readonly flags: ReadonlyMap<UserId, number>;
}

export interface MessageRow {
  readonly id: MessageId;
  readonly sender_id: UserId;
  readonly recipient_id: RecipientId;
  /** Null for direct messages, which have participants instead. */
  readonly channel_id: ChannelId | null;
  readonly channel_name: string | null;
  /** The participants of a direct message. */
  readonly user_ids: readonly UserId[] | null;
  readonly topic: string;
  readonly content: string;
  readonly rendered_content: string;
  /** UNIX time in seconds. */
  readonly sent_at: number;
  readonly client: string;
  readonly is_me_message: boolean;
  /** Newest entry first. */
  readonly edit_history: NonNullable<Message['edit_history']> | null;
  readonly last_edited_at: number | null;
  readonly last_moved_at: number | null;
  readonly reactions: readonly Reaction[] | null;
  readonly submessages: readonly Submessage[] | null;
}

/** `content` is Markdown, `subject` may be empty. */
export interface MessageRecord extends Omit<Message, 'content_type' | 'avatar_url'> {
  readonly rendered_content: string;
  readonly avatar_url: string;
  /** Whether a client can compute the avatar: the sender's real e-mail address is public. */
  readonly avatar_computable: boolean;
}
