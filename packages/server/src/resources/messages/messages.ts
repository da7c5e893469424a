import { badRequest, checkWidget } from '@bellhop/protocol';

import type { Resource } from '../../engine/call.ts';
import { deleteMessage } from './delete/delete-message.ts';
import { editMessage } from './edit/edit-message.ts';
import { fetchHistory } from './fetch/fetch-history.ts';
import { fetchMessages } from './fetch/fetch-messages.ts';
import { fetchOne } from './fetch/fetch-one.ts';
import { channelOf, participantsOf } from './send/recipients.ts';
import { sendBatch } from './send/send-batch.ts';
import { sendMessage } from './send/send-message.ts';

/** Clients in which people read messages: their own messages count as read. */
const readingClients = new Set([
  'website',
  'ZulipMobile',
  'ZulipFlutter',
  'ZulipTerminal',
  'ZulipElectron',
  'BellhopConsole',
]);

export const messages: Resource<'messages'> = {
  async send({ user, realm, params, app, client, change, batched }) {
    const { queue_id, local_id, read_by_sender = readingClients.has(client) } = params;
    const wrong = checkWidget(params.widget_content);
    if (wrong !== undefined) throw badRequest(`Widgets: ${wrong}`);
    const request = {
      realm,
      sender: user,
      client,
      now: app.now(),
      content: params.content,
      widget_content: params.widget_content,
      read_by_sender,
      ...(queue_id !== undefined && local_id !== undefined && { echo: { queue_id, local_id } }),
    };
    if (params.type === 'direct') {
      const id = await change(async (own) => {
        const participants = await participantsOf(own.db, request, params.to);
        const direct = { ...request, to: { participants } };
        return sendMessage(own, direct, { attachments: own });
      });
      return { id };
    }
    if (params.topic === undefined) throw badRequest('Missing topic');
    const to = { channel: channelOf(params.to), topic: params.topic };
    return { id: await batched(sendBatch, { ...request, to }) };
  },
  fetch: fetchMessages,
  fetchOne,
  edit: editMessage,
  remove: deleteMessage,
  history: fetchHistory,
};
