import { badRequest, checkContent, checkWidget } from '@bellhop/protocol';

import type { Handlers, Resource } from '../../engine/resource.ts';
import { readsOwnMessages } from '../../model/messages/read/flags.ts';
import { renderWithoutNames } from '../../model/messages/render-content.ts';
import { channelOf, listedUsers } from '../../model/messages/send/recipients.ts';
import * as queries from '../../model/messages/state/queries.ts';
import { unreadMessages } from '../../model/messages/state/unread-messages.ts';
import { deleteMessage } from './delete/delete-message.ts';
import { editMessage } from './edit/edit-message.ts';
import { fetchMessages } from './fetch/fetch-messages.ts';
import { fetchHistory, fetchOne } from './fetch/fetch-one.ts';
import { matchesNarrow } from './fetch/matches-narrow.ts';
import { markAllAsRead, markChannelAsRead, markTopicAsRead } from './flag/mark-as-read.ts';
import { markLeftChannelsRead } from './flag/mark-channels-read.ts';
import { setFlag, setFlagInNarrow } from './flag/set-flag.ts';
import {
  presentDeleteMessage,
  presentUpdateMessage,
  presentUpdateMessageFlags,
} from './present-message-changes.ts';
import { presentMessage } from './present-message.ts';
import { foldOldRows } from './read/fold-old-rows.ts';
import { readReceipts } from './read/read-receipts.ts';
import { renderPreview } from './render-preview.ts';
import { reportMessage } from './report/report-message.ts';
import { deleteExpiredMessages } from './retention/delete-expired-messages.ts';
import { sendBatch } from './send/send-batch.ts';
import { checkFirstMessage } from './update-first-messages.ts';

const handlers: Handlers<'messages'> = {
  async send({ user, realm, params, app, client, batched }) {
    const { queue_id, local_id, read_by_sender = readsOwnMessages(client) } = params;
    const wrong = checkWidget(params.widget_content);
    if (wrong !== undefined) throw badRequest(`Widgets: ${wrong}`);
    const content = checkContent(params.content);
    const in_channel = params.type !== 'direct';
    const request = {
      realm,
      sender: user,
      client,
      now: app.now(),
      content,
      // Rendered while other messages commit, so that the transaction does not wait for the
      // renderer.
      rendered: renderWithoutNames({ realm, sender: user, content, in_channel }),
      widget_content: params.widget_content,
      read_by_sender,
      ...(queue_id !== undefined && local_id !== undefined && { echo: { queue_id, local_id } }),
    };
    if (params.type === 'direct')
      return batched(sendBatch, { ...request, to: { participants: listedUsers(params.to) } });
    if (params.topic === undefined) throw badRequest('Missing topic');
    const to = { channel: channelOf(params.to), topic: params.topic };
    return batched(sendBatch, { ...request, to });
  },
  fetch: fetchMessages,
  fetchOne,
  edit: editMessage,
  remove: deleteMessage,
  history: fetchHistory,
  setFlag,
  setFlagInNarrow,
  markAllAsRead,
  markChannelAsRead,
  markTopicAsRead,
  matchesNarrow,
  render: renderPreview,
  readReceipts,
  report: reportMessage,
};

export const messages: Resource<'messages'> = {
  handlers,
  jobs: () => [checkFirstMessage, deleteExpiredMessages, foldOldRows, markLeftChannelsRead],
  state: {
    message: async ({ db, user }) => ({ max_message_id: await queries.newestReceived(db, user) }),
    update_message_flags: async ({ db, user, params, requests }) => {
      if (!requests('message')) return undefined;
      const { empty_topic_name } = params.client_capabilities;
      const rows = await queries.unread(db, user);
      const mutes = await queries.mutes(db, user);
      return { unread_msgs: unreadMessages(rows, { id: user.id, empty_topic_name, mutes }) };
    },
    starred_messages: async ({ db, user }) => ({
      starred_messages: await queries.starred(db, user),
    }),
    recent_private_conversations: async ({ db, realm, user }) => ({
      recent_private_conversations: await queries.recentConversations(db, realm.id, user.id),
    }),
  },
  presenters: () => ({
    message: presentMessage,
    update_message: presentUpdateMessage,
    delete_message: presentDeleteMessage,
    update_message_flags: presentUpdateMessageFlags,
  }),
};
