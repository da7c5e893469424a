import type { MessageId, RecipientId, UserId } from '@bellhop/protocol';

import type { Tx } from '../../../engine/call.ts';
import { newWidget, widgetOf } from '../../submessages/widget.ts';
import type { Destination, RenderedMessage, SendRequest } from '../message.ts';
import * as queries from '../queries.ts';
import { flagBits, mentionFlags } from '../read/flags.ts';
import { checkMessage } from './check-message.ts';
import type { PersonalFlags } from './personal-flags.ts';

interface RenderOptions {
  /** The id that the message gets. */
  readonly id: MessageId | undefined;
  readonly personal: PersonalFlags | undefined;
}

/**
 * Renders a message and finds its recipients. Creates the conversation of a direct message if there
 * is none. Throws an ApiError if the message is not acceptable; then nothing has been written.
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
  const { topic, content, recipients, participants } = checked;
  const recipient_id = recipientIdOf(to) ?? (await queries.conversation(tx, realm.id, recipients));
  const mentions = mentionFlags(content, participants);
  const widget = widgetOf(request.content, request.widget_content);
  return {
    request,
    content,
    recipients,
    flags: recipients.map(
      (user) =>
        mentions(user) | (isReadBy(request, user) ? flagBits.read : 0) | (personal?.get(user) ?? 0),
    ),
    row: {
      id,
      sender_id: sender.id,
      recipient_id,
      channel_id: channel?.id ?? null,
      channel_name: channel?.name ?? null,
      user_ids: channel ? null : recipients,
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

const isReadBy = ({ sender, read_by_sender, read_by }: SendRequest, user: UserId): boolean =>
  user === read_by || (read_by_sender && user === sender.id);

const recipientIdOf = (to: Destination): RecipientId | undefined =>
  'channel' in to ? to.channel.recipient_id : to.recipient_id;
