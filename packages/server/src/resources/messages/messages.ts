import { badRequest } from '@bellhop/protocol';

import type { Resource } from '../../engine/call.ts';
import { checkWidget } from '../bots/check-widget.ts';
import { requireCanPost } from '../channels/access.ts';
import * as channels from '../channels/queries.ts';
import { channelOf, noSuchChannel, participantsOf } from './address.ts';
import { fetchMessages } from './fetch-messages.ts';
import { fetchOne } from './fetch-one.ts';
import { sendMessage } from './send-message.ts';

/** Programs people read messages with: what they send, they have read. */
const readingClients = new Set([
  'website',
  'ZulipMobile',
  'ZulipFlutter',
  'ZulipTerminal',
  'ZulipElectron',
  'BellhopConsole',
]);

export const messages: Resource<'messages'> = {
  async send({ user, realm, params, app, client, ...change }) {
    const { queue_id, local_id, read_by_sender = readingClients.has(client) } = params;
    const wrong = checkWidget(params.widget_content);
    if (wrong !== undefined) throw badRequest(`Widgets: ${wrong}`);
    const about = {
      realm,
      sender: user,
      client,
      now: app.now(),
      content: params.content,
      read_by_sender,
    };
    const echo =
      queue_id !== undefined && local_id !== undefined ? { echo: { queue_id, local_id } } : {};
    if (params.type === 'direct') {
      const participants = await participantsOf(change.db, about, params.to);
      const { message } = await sendMessage(change, { ...about, ...echo, to: { participants } });
      return { id: message.id };
    }
    if (params.topic === undefined) throw badRequest('Missing topic');
    const place = channelOf(params.to);
    const channel = await channels.forPosting(change.db, user, place);
    if (!channel) throw noSuchChannel(place);
    requireCanPost(channel);
    const to = { channel, topic: params.topic };
    const { message } = await sendMessage(change, { ...about, ...echo, to });
    return { id: message.id };
  },
  fetch: fetchMessages,
  fetchOne,
};
