import {
  type MessageId,
  type RealmId,
  type RecipientId,
  type UserId,
  widgetOf,
} from '@bellhop/protocol';

import type { Db, Tx } from '../../../engine/call.ts';
import { findAlerted } from '../../alert-words/find-alerted.ts';
import { someSubscribers } from '../../channels/subscribe/subscribers.ts';
import { mutingEach } from '../../muted-users/queries.ts';
import { newWidget } from '../../submessages/queries.ts';
import type { Destination, RenderedMessage, SendRequest } from '../message.ts';
import * as queries from '../queries.ts';
import { flagBits } from '../read/flags.ts';
import { renderContent, type RenderedContent } from '../render-content.ts';
import { printableTopic, requireAllowedTopic } from '../topic-rules.ts';
import { MAX_UNASKED, requireCanMentionWildcard } from './access.ts';
import { type PersonalFlags, recipientsOf } from './recipients-of.ts';

/** A message that may be sent, as it would be stored now. */
interface CheckedMessage {
  /** Empty for direct messages. */
  readonly topic: string;
  readonly content: RenderedContent;
  /** The participants of the topic, if the content mentions them all. */
  readonly participants: readonly UserId[];
}

/** Checks and renders a message. Throws an ApiError if the message is not acceptable. */
export async function checkMessage(db: Db, request: SendRequest): Promise<CheckedMessage> {
  const { realm, sender, to, resolves } = request;
  const channel = 'channel' in to ? to.channel : undefined;
  const topic = 'channel' in to ? printableTopic(to.topic) : '';
  if (channel) requireAllowedTopic(realm, channel, topic);
  const in_channel = channel !== undefined;
  const content =
    request.rendered ??
    (await renderContent(db, { realm, sender, content: request.content, in_channel, resolves }));
  const participants =
    channel && content.topic_wildcard
      ? await queries.topicParticipants(db, realm.id, { channel_id: channel.id, topic })
      : [];
  await requireCanMentionWildcard(db, request, content, {
    subscribers:
      channel && content.channel_wildcard
        ? (await someSubscribers(db, realm.id, { channel_id: channel.id, upTo: MAX_UNASKED + 1 }))
            .length
        : 0,
    participants: participants.length,
  });
  return { topic, content, participants };
}

interface RenderOptions {
  /** The id that the message gets. */
  readonly id: MessageId | undefined;
  readonly personal: PersonalFlags | undefined;
}

/**
 * Renders a message and finds its recipients. Creates the conversation of a direct message if there
 * is none. Throws an ApiError if the message is not acceptable; nothing has been written then.
 */
export async function renderMessage(
  tx: Tx,
  request: SendRequest,
  { id, personal }: RenderOptions,
): Promise<RenderedMessage> {
  if (id === undefined) throw new Error('A message has no id');
  const { realm, sender, to } = request;
  const channel = 'channel' in to ? to.channel : undefined;
  const checked = await checkMessage(tx, request);
  const { topic, content, participants } = checked;
  const user_ids = 'channel' in to ? null : to.participants.map((one) => one.id);
  const recipient_id =
    recipientIdOf(to) ?? (await queries.conversation(tx, realm.id, user_ids ?? []));
  const widget = widgetOf(request.content, request.widget_content);
  return {
    request,
    content,
    recipients: await recipientsOf(tx, request, { content, participants, personal }),
    row: {
      id,
      sender_id: sender.id,
      recipient_id,
      channel_id: channel?.id ?? null,
      channel_name: channel?.name ?? null,
      user_ids,
      topic,
      content: request.content,
      rendered_content: content.html,
      sent_at: request.now,
      client: request.client,
      is_me_message: content.is_me_message,
      edit_history: null,
      last_edited_at: null,
      last_moved_at: null,
      reactions: null,
      submessages:
        widget === undefined
          ? null
          : [await newWidget(tx, { message_id: id, sender_id: sender.id, content: widget })],
    },
  };
}

const recipientIdOf = (to: Destination): RecipientId | undefined =>
  'channel' in to ? to.channel.recipient_id : to.recipient_id;

/**
 * The flags that depend on settings of single users, for messages of one realm in their order:
 * `has_alert_word`, and `read` for users who have muted the sender.
 */
export async function personalFlags(
  db: Db,
  { id, uses }: { readonly id: RealmId; readonly uses: queries.RealmUses },
  requests: readonly Pick<SendRequest, 'sender' | 'content' | 'to'>[],
): Promise<PersonalFlags[]> {
  const contents = requests.map(({ content }) => content);
  const senders = requests.map(({ sender }) => sender.id);
  const [alerted, muting] = await Promise.all([
    uses.alert_words ? findAlerted(db, id, contents) : [],
    uses.muted_users ? mutingEach(db, id, senders) : [],
  ]);
  return requests.map((_request, at) => {
    const flags = new Map<UserId, number>();
    for (const user of alerted[at] ?? []) flags.set(user, flagBits.has_alert_word);
    for (const user of muting[at] ?? []) flags.set(user, (flags.get(user) ?? 0) | flagBits.read);
    return flags;
  });
}
