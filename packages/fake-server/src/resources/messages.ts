import { anchorOf, badRequest, checkWidget, NEWEST_ANCHOR } from '@bellhop/protocol';

import type { Resource } from '../call.ts';
import { compileNarrow, namesChannel } from '../narrow.ts';
import { channelFor, usersFor } from '../recipients.ts';
import { sendMessage } from '../send-message.ts';
import { fetchedMessage, mayRead, readable, type StoredMessage } from '../stored-message.ts';
import { messageEdits } from './message-edits.ts';

export const messages: Resource<'messages'> = {
  send({ params, user, world, client }) {
    const { type, to, topic, content, queue_id, local_id, widget_content } = params;
    const wrong = checkWidget(widget_content);
    if (wrong !== undefined) throw badRequest(`Widgets: ${wrong}`);
    if (type === 'channel' && topic === undefined) throw badRequest('Missing topic');
    const conversation =
      type === 'channel'
        ? { channel: channelFor(world, to, user), topic: topic ?? '' }
        : { participants: [...usersFor(world, to), user] };
    const { id } = sendMessage(world, {
      sender: user,
      conversation,
      content,
      client,
      widget_content,
      read_by_sender: params.read_by_sender ?? false,
      ...(queue_id !== undefined && local_id !== undefined ? { echo: { queue_id, local_id } } : {}),
    });
    return { id };
  },

  fetch({ params, user, world }) {
    const { num_before, num_after, include_anchor, message_ids } = params;
    const narrow = params.narrow ?? [];
    const matches = compileNarrow(narrow, { world, reader: user });
    const includesHistory = message_ids !== undefined || namesChannel(narrow);
    const found = world.messages.filter(
      (message) =>
        (includesHistory ? mayRead(message, user.user_id) : message.received.has(user.user_id)) &&
        matches(message),
    );
    const shown = (some: readonly StoredMessage[]) =>
      some.map((message) => fetchedMessage(message, user, params));
    const notFound = { found_anchor: false, found_oldest: false, found_newest: false };
    if (message_ids) {
      const listed = found.filter(({ id }) => message_ids.includes(id));
      return { messages: shown(listed), ...notFound, history_limited: false };
    }
    const wanted = anchorOf(params);
    const unread = found.find(({ received }) => received.get(user.user_id)?.has('read') === false);
    const anchor = wanted === 'first_unread' ? (unread?.id ?? NEWEST_ANCHOR) : wanted;
    const before = num_before > 0 ? found.filter(({ id }) => id < anchor).slice(-num_before) : [];
    const at = include_anchor ? found.filter(({ id }) => id === anchor) : [];
    const after = found.filter(({ id }) => id > anchor).slice(0, num_after);
    return {
      messages: shown([...before, ...at, ...after]),
      anchor,
      found_anchor: at.length > 0,
      found_oldest: anchor === 0 || before.length < num_before,
      found_newest: anchor === NEWEST_ANCHOR || after.length < num_after,
      history_limited: false,
    };
  },

  fetchOne({ params, user, world }) {
    const message = readable(world, params.message_id, user);
    return {
      raw_content: message.content,
      message: fetchedMessage(message, user, { ...params, client_gravatar: false }),
    };
  },

  ...messageEdits,
};
