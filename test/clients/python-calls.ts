import type { TestChat } from '@bellhop/server/testing';

/** A value of a request as the Python client has it: texts go as they are, the rest as JSON. */
export type PythonValue = string | number | boolean | object | null;

/** One call of a public client: `GET /users/me`, and what the client reads from the answer. */
export interface ClientCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly params?: Readonly<Record<string, PythonValue>>;
  /** The keys that the client reads without a default, as paths: `messages.0.id`. */
  readonly reads?: readonly string[];
  /** The parameters that the client sends and the endpoint does not take. */
  readonly ignored?: readonly string[];
  /** The caller; the owner of the organization by default. */
  readonly as?: 'bot';
  /** Sent as a multipart file. */
  readonly file?: { readonly name: string; readonly content: Uint8Array<ArrayBuffer> };
}

type MakeCall = (chat: TestChat) => Promise<ClientCall> | ClientCall;

let count = 0;
const fresh = (prefix: string) => `${prefix} ${++count}`;
const owner = ({ people }: TestChat) => people.desdemona;

async function channel(chat: TestChat): Promise<{ name: string; stream_id: number }> {
  const name = fresh('channel');
  await owner(chat).client.subscriptions.add({ subscriptions: [{ name }] });
  const { stream_id } = await owner(chat).client.channels.id({ stream: name });
  return { name, stream_id };
}

async function message(chat: TestChat) {
  const to = await channel(chat);
  const sent = { type: 'channel', to: to.name, topic: 'greetings', content: 'hello' } as const;
  const { id } = await owner(chat).client.messages.send(sent);
  return { ...to, id };
}

async function queue({ people }: TestChat) {
  const { queue_id, last_event_id } = await people.desdemona.client.queues.register({
    event_types: ['message'],
  });
  return { queue_id: queue_id ?? '', last_event_id };
}

/** Sends a request as the owner and returns the body of the answer. */
const send = async (chat: TestChat, route: string, fields: Record<string, string>) =>
  (await chat.ask(owner(chat), route, fields)).body;

const profileField = async (chat: TestChat) =>
  Number(
    (
      await send(chat, 'POST /realm/profile_fields', {
        name: fresh('Field'),
        hint: '',
        field_type: '1',
      })
    )['id'],
  );

async function group(chat: TestChat): Promise<number> {
  const name = fresh('group');
  const { body } = await chat.ask(owner(chat), 'POST /user_groups/create', {
    name,
    description: '',
    members: JSON.stringify([owner(chat).user.id]),
  });
  return Number(body['group_id']);
}

const person = async (chat: TestChat) =>
  (await chat.addPerson(fresh('person').replace(' ', ''))).user.id;

/** The methods of the Python client by name, as an owner calls them; those of custom emoji are absent. */
export const pythonCalls: Readonly<Record<string, MakeCall>> = {
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
  get_profile: () => ({
    method: 'GET',
    path: '/users/me',
    reads: ['user_id', 'full_name', 'email'],
  }),
  get_users: () => ({ method: 'GET', path: '/users', reads: ['members.0.user_id'] }),
  get_user_by_id: (chat) => ({
    method: 'GET',
    path: `/users/${chat.people.hamlet.user.id}`,
    params: { include_custom_profile_fields: true },
    reads: ['user.user_id', 'user.profile_data'],
  }),
  get_user_by_email: (chat) => ({
    method: 'GET',
    path: `/users/${chat.people.hamlet.email}`,
    reads: ['user.user_id'],
  }),
  create_user: () => ({
    method: 'POST',
    path: '/users',
    params: {
      email: `new${++count}@chat.test`,
      password: 'correct horse battery',
      full_name: fresh('Person'),
    },
    reads: ['user_id'],
  }),
  update_user_by_id: async (chat) => ({
    method: 'PATCH',
    path: `/users/${await person(chat)}`,
    params: { full_name: fresh('Renamed') },
  }),
  deactivate_user_by_id: async (chat) => ({
    method: 'DELETE',
    path: `/users/${await person(chat)}`,
  }),
  reactivate_user_by_id: async (chat) => {
    const id = await person(chat);
    await chat.ask(owner(chat), `DELETE /users/${id}`);
    return { method: 'POST', path: `/users/${id}/reactivate` };
  },
  update_presence: () => ({
    method: 'POST',
    path: '/users/me/presence',
    params: { status: 'active', ping_only: false, new_user_input: true },
    reads: ['presences', 'server_timestamp'],
  }),
  get_user_presence: async (chat) => {
    await chat.ask(chat.people.hamlet, 'POST /users/me/presence', {
      status: 'active',
      ping_only: 'false',
    });
    return {
      method: 'GET',
      path: `/users/${chat.people.hamlet.email}/presence`,
      reads: ['presence.aggregated.status'],
    };
  },
  get_realm_presence: () => ({ method: 'GET', path: '/realm/presence', reads: ['presences'] }),
  add_alert_words: () => ({
    method: 'POST',
    path: '/users/me/alert_words',
    params: { alert_words: ['lunch'] },
    reads: ['alert_words'],
  }),
  get_alert_words: () => ({
    method: 'GET',
    path: '/users/me/alert_words',
    reads: ['alert_words'],
  }),
  remove_alert_words: () => ({
    method: 'DELETE',
    path: '/users/me/alert_words',
    params: { alert_words: ['lunch'] },
    reads: ['alert_words'],
  }),
  get_streams: () => ({
    method: 'GET',
    path: '/streams',
    params: { include_public: true },
    reads: ['streams'],
  }),
  update_stream: async (chat) => ({
    method: 'PATCH',
    path: `/streams/${(await channel(chat)).stream_id}`,
    params: { description: 'of the client', is_private: false },
  }),
  delete_stream: async (chat) => ({
    method: 'DELETE',
    path: `/streams/${(await channel(chat)).stream_id}`,
  }),
  add_default_stream: async (chat) => ({
    method: 'POST',
    path: '/default_streams',
    params: { stream_id: (await channel(chat)).stream_id },
  }),
  get_subscriptions: () => ({
    method: 'GET',
    path: '/users/me/subscriptions',
    params: { include_subscribers: false },
    reads: ['subscriptions'],
  }),
  add_subscriptions: () => ({
    method: 'POST',
    path: '/users/me/subscriptions',
    params: { subscriptions: [{ name: fresh('channel'), description: 'new' }] },
    reads: ['subscribed', 'already_subscribed'],
  }),
  remove_subscriptions: async (chat) => ({
    method: 'DELETE',
    path: '/users/me/subscriptions',
    params: { subscriptions: [(await channel(chat)).name] },
    reads: ['removed', 'not_removed'],
  }),
  get_subscription_status: async (chat) => ({
    method: 'GET',
    path: `/users/${chat.people.hamlet.user.id}/subscriptions/${(await channel(chat)).stream_id}`,
    reads: ['is_subscribed'],
  }),
  update_subscription_settings: async (chat) => ({
    method: 'POST',
    path: '/users/me/subscriptions/properties',
    params: {
      subscription_data: [
        { stream_id: (await channel(chat)).stream_id, property: 'color', value: '#76ce90' },
      ],
    },
  }),
  mute_topic: async (chat) => ({
    method: 'PATCH',
    path: '/users/me/subscriptions/muted_topics',
    params: { stream_id: (await channel(chat)).stream_id, topic: 'lunch', op: 'add' },
  }),
  get_stream_id: async (chat) => ({
    method: 'GET',
    path: '/get_stream_id',
    params: { stream: (await channel(chat)).name },
    reads: ['stream_id'],
  }),
  get_stream_topics: async (chat) => ({
    method: 'GET',
    path: `/users/me/${(await message(chat)).stream_id}/topics`,
    reads: ['topics.0.name', 'topics.0.max_id'],
  }),
  get_subscribers: async (chat) => {
    const { name, stream_id } = await channel(chat);
    return {
      method: 'GET',
      path: `/streams/${stream_id}/members`,
      params: { stream: name },
      ignored: ['stream'],
      reads: ['subscribers.0'],
    };
  },
  get_stream_email_address: async (chat) => ({
    method: 'GET',
    path: `/streams/${(await channel(chat)).stream_id}/email_address`,
    reads: ['email'],
  }),
  get_user_groups: () => ({ method: 'GET', path: '/user_groups', reads: ['user_groups.0.id'] }),
  create_user_group: (chat) => ({
    method: 'POST',
    path: '/user_groups/create',
    params: { name: fresh('group'), description: '', members: [chat.people.hamlet.user.id] },
  }),
  update_user_group: async (chat) => ({
    method: 'PATCH',
    path: `/user_groups/${await group(chat)}`,
    params: { name: fresh('group'), description: 'changed' },
  }),
  update_user_group_members: async (chat) => ({
    method: 'POST',
    path: `/user_groups/${await group(chat)}/members`,
    params: { add: [chat.people.hamlet.user.id], delete: [] },
  }),
  get_realm_linkifiers: () => ({ method: 'GET', path: '/realm/linkifiers', reads: ['linkifiers'] }),
  add_realm_filter: () => ({
    method: 'POST',
    path: '/realm/filters',
    params: { pattern: `#${++count}-(?P<id>[0-9]+)`, url_template: 'https://tracker.test/{id}' },
    reads: ['id'],
  }),
  remove_realm_filter: async (chat) => {
    const { id } = await owner(chat).client.linkifiers.add({
      pattern: `#${++count}-(?P<id>[0-9]+)`,
      url_template: 'https://tracker.test/{id}',
    });
    return { method: 'DELETE', path: `/realm/filters/${id}` };
  },
  get_realm_profile_fields: () => ({
    method: 'GET',
    path: '/realm/profile_fields',
    reads: ['custom_fields'],
  }),
  create_realm_profile_field: () => ({
    method: 'POST',
    path: '/realm/profile_fields',
    params: { name: fresh('Field'), hint: 'a hint', field_type: 1 },
    reads: ['id'],
  }),
  update_realm_profile_field: async (chat) => ({
    method: 'PATCH',
    path: `/realm/profile_fields/${await profileField(chat)}`,
    params: { name: fresh('Field'), hint: 'changed' },
  }),
  reorder_realm_profile_fields: async (chat) => {
    await profileField(chat);
    const { body } = await chat.ask(owner(chat), 'GET /realm/profile_fields');
    const fields = body['custom_fields'] as { id: number }[];
    return {
      method: 'PATCH',
      path: '/realm/profile_fields',
      params: { order: fields.map(({ id }) => id).toReversed() },
    };
  },
  remove_realm_profile_field: async (chat) => ({
    method: 'DELETE',
    path: `/realm/profile_fields/${await profileField(chat)}`,
  }),
  get_server_settings: () => ({
    method: 'GET',
    path: '/server_settings',
    reads: ['zulip_version', 'email_auth_enabled', 'require_email_format_usernames', 'realm_uri'],
  }),
  update_notification_settings: () => ({
    method: 'PATCH',
    path: '/settings/notifications',
    params: { enable_offline_push_notifications: true },
  }),
  update_storage: () => ({
    method: 'PUT',
    path: '/bot_storage',
    as: 'bot',
    params: { storage: { key: 'value' } },
  }),
  get_storage: () => ({
    method: 'GET',
    path: '/bot_storage',
    as: 'bot',
    params: { keys: ['key'] },
    reads: ['storage.key'],
  }),
};
