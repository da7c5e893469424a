import type { TestChat } from '@bellhop/server/testing';

import { channel, freshName, message, nextNumber, owner, type MakeCall } from './client-call.ts';
import { pythonMessageCalls } from './python-message-calls.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);

/** Sends a request as the owner and returns the body of the answer. */
const send = async (chat: TestChat, route: string, fields: Record<string, string>) =>
  (await chat.ask(owner(chat), route, fields)).body;

const profileField = async (chat: TestChat) =>
  Number(
    (
      await send(chat, 'POST /realm/profile_fields', {
        name: freshName('Field'),
        hint: '',
        field_type: '1',
      })
    )['id'],
  );

async function group(chat: TestChat): Promise<number> {
  const name = freshName('group');
  const { body } = await chat.ask(owner(chat), 'POST /user_groups/create', {
    name,
    description: '',
    members: JSON.stringify([owner(chat).user.id]),
  });
  return Number(body['group_id']);
}

const person = async (chat: TestChat) =>
  (await chat.addPerson(freshName('person').replace(' ', ''))).user.id;

/** The methods of the Python client by name, as an owner calls them. */
export const pythonCalls: Readonly<Record<string, MakeCall>> = {
  ...pythonMessageCalls,
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
      email: `new${nextNumber()}@chat.test`,
      password: 'correct horse battery',
      full_name: freshName('Person'),
    },
    reads: ['user_id'],
  }),
  update_user_by_id: async (chat) => ({
    method: 'PATCH',
    path: `/users/${await person(chat)}`,
    params: { full_name: freshName('Renamed') },
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
    params: { subscriptions: [{ name: freshName('channel'), description: 'new' }] },
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
    params: { name: freshName('group'), description: '', members: [chat.people.hamlet.user.id] },
  }),
  update_user_group: async (chat) => ({
    method: 'PATCH',
    path: `/user_groups/${await group(chat)}`,
    params: { name: freshName('group'), description: 'changed' },
  }),
  update_user_group_members: async (chat) => ({
    method: 'POST',
    path: `/user_groups/${await group(chat)}/members`,
    params: { add: [chat.people.hamlet.user.id], delete: [] },
  }),
  get_realm_emoji: () => ({ method: 'GET', path: '/realm/emoji', reads: ['emoji'] }),
  upload_custom_emoji: () => ({
    method: 'POST',
    path: `/realm/emoji/emoji_${nextNumber()}`,
    file: { name: 'a.png', content: PNG },
  }),
  delete_custom_emoji: async (chat) => {
    const emoji_name = `emoji_${nextNumber()}`;
    const file = new File([PNG], 'a.png');
    await owner(chat).client.realmEmoji.upload({ emoji_name }, { file });
    return { method: 'DELETE', path: `/realm/emoji/${emoji_name}` };
  },
  get_realm_linkifiers: () => ({ method: 'GET', path: '/realm/linkifiers', reads: ['linkifiers'] }),
  add_realm_filter: () => ({
    method: 'POST',
    path: '/realm/filters',
    params: {
      pattern: `#${nextNumber()}-(?P<id>[0-9]+)`,
      url_template: 'https://tracker.test/{id}',
    },
    reads: ['id'],
  }),
  remove_realm_filter: async (chat) => {
    const { id } = await owner(chat).client.linkifiers.add({
      pattern: `#${nextNumber()}-(?P<id>[0-9]+)`,
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
    params: { name: freshName('Field'), hint: 'a hint', field_type: 1 },
    reads: ['id'],
  }),
  update_realm_profile_field: async (chat) => ({
    method: 'PATCH',
    path: `/realm/profile_fields/${await profileField(chat)}`,
    params: { name: freshName('Field'), hint: 'changed' },
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
