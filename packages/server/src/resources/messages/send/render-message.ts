import type { MessageId, RecipientId, UserId } from '@bellhop/protocol';

import type { Tx } from '../../../engine/call.ts';
import { newWidget, widgetOf } from '../../submessages/widget.ts';
import { printableTopic, requireAllowedTopic } from '../check-topic.ts';
import type { RenderedMessage, SendRequest } from '../message.ts';
import * as queries from '../queries.ts';
import { flagBits, mentionFlags } from '../read/flags.ts';
import { checkContent, renderContent } from '../render-content.ts';
import { requireCanMentionWildcard, requireCanWriteTo } from './access.ts';

/**
 * Renders a message and finds its recipients. Throws an ApiError if the message is not acceptable;
 * for a channel message nothing has been written then.
 */
export async function renderMessage(
  tx: Tx,
  request: SendRequest,
  newId?: MessageId,
): Promise<RenderedMessage> {
  const { realm, sender, to } = request;
  const markdown = checkContent(request.content);
  const channel = 'channel' in to ? to.channel : undefined;
  const topic = 'channel' in to ? printableTopic(to.topic) : '';
  if (channel) requireAllowedTopic(realm, channel, topic);
  const content = await renderContent(tx, {
    realm,
    sender,
    content: markdown,
    in_channel: channel !== undefined,
  });
  const { recipient_id, recipients } = await recipientsOf(tx, request);
  const participants =
    channel && content.topic_wildcard
      ? await queries.topicParticipants(tx, realm.id, { channel_id: channel.id, topic })
      : [];
  await requireCanMentionWildcard(tx, request, content, {
    subscribers: channel ? recipients.length : 0,
    participants: participants.length,
  });
  const id = newId ?? (await queries.nextId(tx));
  const mentions = mentionFlags(content, participants);
  const widget = widgetOf(markdown, request.widget_content);
  return {
    request,
    content,
    recipients,
    flags: recipients.map((user) => mentions(user) | (isReadBy(request, user) ? flagBits.read : 0)),
    row: {
      id,
      sender_id: sender.id,
      recipient_id,
      channel_id: channel?.id ?? null,
      channel_name: channel?.name ?? null,
      user_ids: channel ? null : recipients,
      topic,
      content: markdown,
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

const isReadBy = ({ sender, read_by_sender, read_by }: SendRequest, user: UserId): boolean =>
  user === read_by || (read_by_sender && user === sender.id);

async function recipientsOf(
  tx: Tx,
  { realm, sender, to }: SendRequest,
): Promise<{ readonly recipient_id: RecipientId; readonly recipients: readonly UserId[] }> {
  if ('channel' in to)
    return { recipient_id: to.channel.recipient_id, recipients: to.channel.subscriber_ids };
  const { participants } = to;
  const recipients = participants.map(({ id }) => id);
  const { id, is_new } = await queries.conversation(tx, realm.id, recipients);
  await requireCanWriteTo(tx, { realm, sender }, { participants, is_new });
  return { recipient_id: id, recipients };
}
