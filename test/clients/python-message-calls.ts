import type { TestChat } from '@bellhop/server/testing';

import { channel, message, owner, type MakeCall } from './client-call.ts';

async function queue({ people }: TestChat) {
  const { queue_id, last_event_id } = await people.desdemona.client.queues.register({
    event_types: ['message'],
  });
  return { queue_id: queue_id ?? '', last_event_id };
}

/** The methods of the Python client for queues, messages and files, as an owner calls them. */
export const pythonMessageCalls: Readonly<Record<string, MakeCall>> = {
  register: () => ({
    method: 'POST',
    path: '/register',
    params: { event_types: ['message'], narrow: [] },
    reads: ['queue_id', 'last_event_id'],
  }),
  get_events: async (chat) => ({
    method: 'GET',
    path: '/events',
    params: { ...(await queue(chat)), dont_block: true },
    reads: ['events'],
  }),
  deregister: async (chat) => ({
    method: 'DELETE',
    path: '/events',
    params: { queue_id: (await queue(chat)).queue_id },
  }),
  send_message: async (chat) => ({
    method: 'POST',
    path: '/messages',
    params: { type: 'stream', to: (await channel(chat)).name, subject: 'a', content: 'hello' },
    reads: ['id'],
  }),
  get_messages: async (chat) => ({
    method: 'GET',
    path: '/messages',
    params: {
      anchor: (await message(chat)).id,
      num_before: 1,
      num_after: 0,
      narrow: [{ operator: 'sender', operand: owner(chat).email }],
      client_gravatar: true,
      apply_markdown: true,
    },
    reads: ['messages.0.id', 'found_newest'],
  }),
  check_messages_match_narrow: async (chat) => ({
    method: 'GET',
    path: '/messages/matches_narrow',
    params: {
      msg_ids: [(await message(chat)).id],
      narrow: [{ operator: 'topic', operand: 'greetings' }],
    },
    reads: ['messages'],
  }),
  get_raw_message: async (chat) => ({
    method: 'GET',
    path: `/messages/${(await message(chat)).id}`,
    reads: ['raw_content', 'message.id'],
  }),
  update_message: async (chat) => ({
    method: 'PATCH',
    path: `/messages/${(await message(chat)).id}`,
    params: { content: 'changed' },
  }),
  delete_message: async (chat) => ({
    method: 'DELETE',
    path: `/messages/${(await message(chat)).id}`,
  }),
  update_message_flags: async (chat) => ({
    method: 'POST',
    path: '/messages/flags',
    params: { messages: [(await message(chat)).id], op: 'add', flag: 'starred' },
    reads: ['messages'],
  }),
  mark_all_as_read: () => ({ method: 'POST', path: '/mark_all_as_read' }),
  mark_stream_as_read: async (chat) => ({
    method: 'POST',
    path: '/mark_stream_as_read',
    params: { stream_id: (await channel(chat)).stream_id },
  }),
  mark_topic_as_read: async (chat) => ({
    method: 'POST',
    path: '/mark_topic_as_read',
    params: { stream_id: (await message(chat)).stream_id, topic_name: 'greetings' },
  }),
  get_message_history: async (chat) => ({
    method: 'GET',
    path: `/messages/${(await message(chat)).id}/history`,
    reads: ['message_history'],
  }),
  add_reaction: async (chat) => ({
    method: 'POST',
    path: `/messages/${(await message(chat)).id}/reactions`,
    params: { emoji_name: 'octopus' },
  }),
  remove_reaction: async (chat) => {
    const { id } = await message(chat);
    await owner(chat).client.reactions.add({ message_id: id as never, emoji_name: 'octopus' });
    return {
      method: 'DELETE',
      path: `/messages/${id}/reactions`,
      params: { emoji_name: 'octopus', message_id: id },
      ignored: ['message_id'],
    };
  },
  render_message: () => ({
    method: 'POST',
    path: '/messages/render',
    params: { content: '**bold**' },
    reads: ['rendered'],
  }),
  move_topic: async (chat) => {
    const from = await message(chat);
    return {
      method: 'PATCH',
      path: `/messages/${from.id}`,
      params: {
        message_id: from.id,
        propagate_mode: 'change_all',
        topic: 'elsewhere',
        stream_id: (await channel(chat)).stream_id,
        send_notification_to_old_thread: true,
        send_notification_to_new_thread: true,
      },
      ignored: ['message_id'],
    };
  },
  set_typing_status: (chat) => ({
    method: 'POST',
    path: '/typing',
    params: { op: 'start', to: [chat.people.hamlet.user.id] },
  }),
  upload_file: () => ({
    method: 'POST',
    path: '/user_uploads',
    file: { name: 'a.txt', content: Buffer.from('hello') },
    reads: ['uri', 'url'],
  }),
  get_attachments: () => ({ method: 'GET', path: '/attachments', reads: ['attachments'] }),
};
