import { checkContent, type MessageId } from '@bellhop/protocol';

import { EVERYONE_LISTENING, everyoneInChannel } from '../../../engine/audience.ts';
import type { Change } from '../../../engine/call.ts';
import { fillPreviews, noPreviews } from '../../../markdown/fill-previews.ts';
import { isPublic } from '../../../model/channels/access.ts';
import { setFirstMessage } from '../../../model/channels/first-message.ts';
import { messageRecord } from '../../../model/messages/message-record.ts';
import type {
  DirectDestination,
  RenderedMessage,
  SendRequest,
} from '../../../model/messages/message.ts';
import * as queries from '../../../model/messages/queries.ts';
import { flagNames } from '../../../model/messages/read/flags.ts';
import { personalFlags, renderMessage } from '../../../model/messages/send/render-message.ts';
import { insertLast as insertSubmessages } from '../../../model/submessages/queries.ts';
import { pushMessages } from '../../devices/message-push/push-messages.ts';
import { followMentions } from '../../user-topics/follow-topics.ts';
import { triggerWebhooks } from '../../webhooks/trigger-webhooks.ts';
import { attachUploads } from '../attach-uploads.ts';
import { emitFirstMessages } from '../emit-first-messages.ts';

interface StoreOptions {
  /** Attaches linked uploads to the messages. Without it, links to uploads stay mere links. */
  readonly attachments?: Pick<Change<'attachment'>, 'db' | 'emit'>;
  /** Makes mentioned people follow the topics, if their settings say so. */
  readonly topics?: Pick<Change<'user_topic'>, 'db' | 'emit'>;
}
interface AnyStoreOptions extends StoreOptions {
  readonly uses: queries.RealmUses;
  /** Emits the first message of a channel. Null if all messages go to people. */
  readonly channels: Pick<Change<'stream'>, 'db' | 'emit'> | null;
}

/**
 * Sends a message as part of a change. Emits `stream` too if it is the first one of its channel. Throws
 * an ApiError if the message is not acceptable.
 */
export const sendMessage = (
  change: Change<'message' | 'stream'>,
  request: SendRequest,
  options: StoreOptions = {},
): Promise<MessageId> => send(change, request, { ...options, channels: change });

/** Sends a message to people as part of a change. Throws an ApiError if the message is not acceptable. */
export const sendDirectMessage = (
  change: Change<'message'>,
  request: SendRequest<DirectDestination>,
): Promise<MessageId> => send(change, request, { channels: null });

async function send(
  change: Change<'message'>,
  asked: SendRequest,
  options: Omit<AnyStoreOptions, 'uses'>,
): Promise<MessageId> {
  const { db } = change;
  const request = { ...asked, content: checkContent(asked.content) };
  const {
    ids: [id],
    uses,
  } = await queries.begin(db, request.realm.id, 1);
  const [personal] = await personalFlags(db, { id: request.realm.id, uses }, [request]);
  const message = await renderMessage(db, request, { id, personal });
  await storeMessages(change, [message], { ...options, uses });
  return message.row.id;
}

/**
 * Stores rendered messages of one realm with the flags of their recipients, and adds their events,
 * the followed topics, and the jobs of pushes and webhooks, in this order.
 */
export async function storeMessages(
  change: Change<'message'>,
  rendered: readonly RenderedMessage[],
  { attachments, topics, channels, uses }: AnyStoreOptions,
): Promise<void> {
  const [first] = rendered;
  if (!first) return;
  const realm = first.request.realm.id;
  const messages: RenderedMessage[] = [];
  for (const message of rendered) messages.push(await withAttachments(message, attachments));
  queries.insert(change, realm, messages);
  const submessages = messages.flatMap(({ row }) => row.submessages ?? []);
  insertSubmessages(change.db, realm, submessages);
  for (const message of messages) {
    const { request, row } = message;
    const empty =
      'channel' in request.to && request.to.channel.first_message_id === null
        ? { ...request.to.channel, first_message_id: row.id }
        : undefined;
    const isFirst = empty && (await setFirstMessage(change.db, realm, empty));
    emitMessage(change, message);
    if (channels && isFirst) await emitFirstMessages(channels, realm, [empty]);
  }
  await Promise.all([
    topics && followMentions(topics, messages),
    pushMessages(change, messages),
    triggerWebhooks(change, messages, uses),
  ]);
}

/**
 * Attaches the linked uploads and shows previews of images. A link counts only if the file exists and
 * the sender may see it.
 */
async function withAttachments(
  message: RenderedMessage,
  attachments: StoreOptions['attachments'],
): Promise<RenderedMessage> {
  const { content, request, row } = message;
  if (!content.has_attachment) return message;
  const { realm, sender: user, now } = request;
  const linked = { realm, user, message: row, paths: content.attachment_paths, now };
  const { has_attachment, previews } = attachments
    ? await attachUploads(attachments, linked)
    : nothingAttached;
  const html = fillPreviews(content.html, previews);
  return {
    ...message,
    content: { ...content, html, has_attachment },
    row: { ...row, rendered_content: html },
  };
}

const nothingAttached = { has_attachment: false, previews: noPreviews };

function emitMessage(
  change: Change<'message'>,
  { request, row, recipients }: RenderedMessage,
): void {
  const { realm, sender, to, echo } = request;
  const channel = 'channel' in to ? to.channel : undefined;
  const { common, flags } = recipients;
  const users: Record<number, object> = {};
  for (const [id, own] of flags) users[id] = { flags: flagNames(own) };
  const queue = echo && {
    queue_id: echo.queue_id,
    user_id: sender.id,
    fields: { local_message_id: echo.local_id },
  };
  const audience = channel
    ? [everyoneInChannel(channel.id), ...(isPublic(channel) ? [EVERYONE_LISTENING] : [])]
    : [...flags.keys()];
  const participants = 'channel' in to ? [] : to.participants;
  change.emit(
    { type: 'message', message: messageRecord(row, { realm, sender, participants }) },
    audience,
    {
      users,
      ...(channel && common !== 0 && { subscribers: { flags: flagNames(common) } }),
      ...(queue && { queue }),
    },
  );
}
